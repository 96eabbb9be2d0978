// The list of provisioners. To add one, see provisioner.h.
#pragma once

#include "loom/base/names.h"
#include "loom/fabric/circuits/provision/max_min.h"
#include "loom/fabric/circuits/provision/max_weight.h"

namespace loom::fabric {

inline constexpr std::array kProvisioners = {&kMaxMin, &kMaxWeight};
inline constexpr auto kProvisionerNames = names_of(kProvisioners);

// auto: all that suit the fabric, and the best by simulation.
inline constexpr std::array<std::string_view, 3> kProvisionerChoices = {"auto", kMaxMin.name,
                                                                        kMaxWeight.name};
static_assert(kProvisionerChoices.size() == kProvisioners.size() + 1);

}  // namespace loom::fabric
