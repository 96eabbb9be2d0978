#include "loom/jobs/contention/transports/mltcp.h"

#include <cmath>

namespace loom::jobs {

double mltcp_factor(const Sender& sender, double left, const JobTransport& transport) {
  const double sent = 1 - bits_to_send(sender, left) / sender.bits;
  return transport.slope * sent + transport.intercept;
}

double mltcp_weight(const Sender& sender, double left, const JobTransport& transport) {
  const double factor = mltcp_factor(sender, left, transport);
  const bool root = transport.share == MltcpShare::square_root;
  return sender.weight * (root ? std::sqrt(factor) : factor);
}

bool mltcp_weights_change(const JobTransport& transport) { return transport.slope != 0; }

}  // namespace loom::jobs
