// Test helpers: bills and costs of fabrics from a line of YAML.
#pragma once

#include <string>

#include "loom/base/testing.h"
#include "loom/cost/bill.h"
#include "loom/cost/cost.h"

namespace loom::cost {

// `text` is the content of a YAML map: "kind: torus, shape: 4x4, bandwidth: 1 Gbps".
inline fabric::Bill bill(const std::string& text, int devices, const fabric::Floor& floor = {}) {
  return bill_of(fabric::read_fabric(parse_yaml("{" + text + "}", "test.yaml")),
                 {devices, 1, {}, floor});
}

inline Money price(const std::string& text, int devices,
                   const PriceTable& table = built_in_prices()) {
  return cost_of(bill(text, devices), table, location_of("test.yaml", 1)).price;
}

inline std::int64_t count_of(const fabric::Bill& components, std::string_view name) {
  std::int64_t count = 0;
  for (const fabric::BillLine& it : components) count += it.name == name ? it.count : 0;
  return count;
}

}  // namespace loom::cost
