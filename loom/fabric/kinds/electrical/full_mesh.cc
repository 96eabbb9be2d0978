#include "loom/fabric/kinds/electrical/full_mesh.h"

#include <mutex>

#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace full_mesh {
namespace {

constexpr std::array kParameters = {kLinkBandwidth, kEgress, kLatency};

struct Mesh {
  int devices;
  Bandwidth bandwidth;
  Duration latency;

  void operator()(DeviceId source, DeviceId destination, std::uint64_t /*key*/,
                  Route& route) const {
    route.hops = {{mesh_link(devices, source, destination)}};
    route.latency = latency;
  }
};

Network with_links(const Mesh& mesh) {
  Network network = bare_network(mesh.devices);
  for (DeviceId from(0); from < mesh.devices; ++from) {
    for (DeviceId to(0); to < mesh.devices; ++to) {
      if (to != from) add_link(network, {from, to, mesh.bandwidth, mesh.latency});
    }
  }
  return network;
}

// The graph of a mesh is large and rarely needed, so it is built on first use.
class MeshDetour final : public Router {
 public:
  explicit MeshDetour(const Mesh& mesh) : mesh_(mesh) {}

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    std::call_once(
        made_, [this] { router_ = graph_router(with_links(mesh_), Routing::shortest, 0, true); });
    return router_->find(source, destination, key, down, route);
  }

 private:
  Mesh mesh_;
  mutable std::once_flag made_;
  mutable std::shared_ptr<const Router> router_;
};

Network routed(const Mesh& mesh) {
  Network network = with_links(mesh);
  network.router = computed_router(mesh, std::make_shared<MeshDetour>(mesh));
  return network;
}

Network build(const Settings& settings, const FabricContext& context) {
  const std::int64_t links = context.devices - 1;
  check_links(settings, context.devices * links);
  return routed({context.devices, direct_bandwidth(settings, links), settings.duration("latency")});
}

}  // namespace
}  // namespace full_mesh

Network fixed_mesh(int devices, Bandwidth channel, Duration latency) {
  return full_mesh::routed({devices, channel, latency});
}

const FabricKind kFullMeshKind = {"full_mesh", "a direct link from every device to every other",
                                  full_mesh::kParameters, full_mesh::build};

}  // namespace loom::fabric
