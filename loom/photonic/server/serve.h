// The loop of an inference server: receives datagrams from a socket and replies, until stopped.
#pragma once

#include <functional>

#include "loom/photonic/server/inference_server.h"
#include "loom/photonic/server/udp_socket.h"

namespace loom::photonic {

// Returns when the file descriptor `stop` becomes readable, for example by a signal or a pipe.
void serve(InferenceServer& server, UdpSocket& socket, int stop);

}  // namespace loom::photonic
