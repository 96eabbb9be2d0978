// The loop of an inference server: receives datagrams from a socket and replies, until stopped.
#pragma once

#include <functional>

#include "loom/photonic/server/inference_server.h"
#include "loom/photonic/server/udp_socket.h"

namespace loom::photonic {

// Serves until the file descriptor `stop`, such as a signalfd or a pipe, becomes readable.
void serve(InferenceServer& server, UdpSocket& socket, int stop);

}  // namespace loom::photonic
