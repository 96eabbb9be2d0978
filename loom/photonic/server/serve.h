// The loop around an inference server: datagrams from a socket in, replies out, until told to stop.
#pragma once

#include <functional>

#include "loom/photonic/server/inference_server.h"
#include "loom/photonic/server/udp_socket.h"

namespace loom::photonic {

// Returns when `stop` (a file descriptor) becomes readable: a signal, a pipe.
void serve(InferenceServer& server, UdpSocket& socket, int stop);

}  // namespace loom::photonic
