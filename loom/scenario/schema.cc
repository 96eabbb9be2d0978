// The JSON Schema of a scenario, generated from the parameters that the reader uses.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "loom/scenario/job_parameters.h"
#include "loom/scenario/scenario.h"

namespace loom::scenario {
namespace {

using Json = nlohmann::ordered_json;

std::string_view quantity_pattern(ValueType type) {
  switch (type) {
    case ValueType::duration:
      return "^[0-9.]+ *(ps|ns|us|µs|ms|s|min|h)$";
    case ValueType::size:
      return "^[0-9.]+ *(B|kB|KB|MB|GB|TB|PB|KiB|MiB|GiB|TiB)$";
    case ValueType::bandwidth:
      return "^[0-9.]+ *([kMGTP]?bps|[MGT]?bit/s|[MGT][bB]/s)$";
    case ValueType::flop_rate:
      return "^[0-9.]+ *[MGTP]?flop/s$";
    case ValueType::decibel:
      return "^-?[0-9.]+ *dB$";
    case ValueType::decibel_milliwatt:
      return "^-?[0-9.]+ *dBm$";
    case ValueType::percentage:
      return "^[0-9.]+ *%$";
    default:
      return "";
  }
}

Json value_schema(const Parameter& parameter) {
  switch (parameter.type) {
    case ValueType::integer:
      return {{"type", "integer"}, {"minimum", parameter.min}, {"maximum", parameter.max}};
    case ValueType::real:
      return {{"type", "number"}, {"minimum", 0}};
    case ValueType::choice: {
      Json choices = Json::array();
      for (const std::string_view choice : parameter.choices) choices.push_back(choice);
      return {{"enum", choices}};
    }
    case ValueType::boolean:
      return {{"type", "boolean"}};
    case ValueType::shape:
      return {{"type", Json::array({"string", "integer"})}, {"pattern", "^[0-9]+(x[0-9]+)*$"}};
    case ValueType::text:
      return {{"type", Json::array({"string", "integer"})}};
    default:
      return {{"type", "string"}, {"pattern", quantity_pattern(parameter.type)}};
  }
}

// The schema of a parameter: a value, or also a list of values where an axis is allowed.
Json property(const Parameter& parameter, bool axis) {
  Json value = value_schema(parameter);
  if (parameter.automatic) value = {{"anyOf", Json::array({value, {{"const", "auto"}}})}};
  Json schema = {{"description", parameter.summary}};
  if (!parameter.fallback.empty()) schema["default"] = parameter.fallback;
  if (!axis) {
    schema.update(value);
    return schema;
  }
  schema["anyOf"] = Json::array({value, {{"type", "array"}, {"items", value}, {"minItems", 1}}});
  return schema;
}

Json map_schema(std::span<const Parameter> parameters, bool axes,
                Json properties = Json::object()) {
  Json required = Json::array();
  for (const Parameter& parameter : parameters) {
    properties[std::string(parameter.name)] = property(parameter, axes);
    if (parameter.required) required.push_back(parameter.name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

// A bandwidth may also be given by the cost or power of another fabric (equal_cost_bandwidth.h).
void allow_same_cost(std::span<const Parameter> parameters, Json& schema) {
  const auto same = [](const char* key, const char* what) {
    return Json{
        {"type", "object"},
        {"properties",
         {{key,
           {{"type", Json::array({"string", "object"})},
            {"description", fmt::format("fabric of equal {}, by name or as a map", what)}}}}},
        {"required", Json::array({key})},
        {"additionalProperties", false}};
  };
  for (const Parameter& parameter : parameters) {
    if (parameter.type != ValueType::bandwidth) continue;
    Json& choices = schema["properties"][std::string(parameter.name)]["anyOf"];
    choices.push_back(same("same_cost_as", "cost"));
    choices.push_back(same("same_power_as", "power"));
  }
}

Json fabric_schema() {
  Json kinds = Json::array();
  for (const fabric::FabricKind& kind : fabric::fabric_kinds()) {
    Json fixed = {{"kind", {{"const", kind.name}, {"description", kind.summary}}},
                  {"name", {{"type", "string"}, {"description", "label in tables"}}}};
    Json schema = map_schema(kind.parameters, true, fixed);
    schema["required"].push_back("kind");
    allow_same_cost(kind.parameters, schema);
    kinds.push_back(schema);
  }
  return {{"oneOf", kinds}};
}

// Requires exactly one of these keys.
Json one_of(std::initializer_list<std::string_view> keys) {
  Json choices = Json::array();
  for (const std::string_view key : keys) choices.push_back({{"required", Json::array({key})}});
  return choices;
}

Json traffic_schema() {
  Json schema = map_schema(workload_parameters(), true);
  schema["oneOf"] = one_of({"collective", "flows", "file", "rostam", "flexflow"});
  schema["oneOf"][0]["oneOf"] = one_of({"size", "sizes"});
  return schema;
}

// Allows a value, or a list of such values.
Json axis_of(const Json& value) {
  return {{"anyOf", Json::array({value, {{"type", "array"}, {"items", value}, {"minItems", 1}}})}};
}

// The definitions of properties that many schemas share, written once in $defs.
Json defined(std::span<const Parameter> parameters) {
  return {{"properties", map_schema(parameters, true)["properties"]}};
}

void refer(std::span<const Parameter> parameters, const std::string& definition, Json& properties) {
  for (const Parameter& it : parameters) {
    properties[std::string(it.name)] = {
        {"$ref", fmt::format("#/$defs/{}/properties/{}", definition, it.name)}};
  }
}

// A job with a model of one family: `model` is the family's name or one of its presets.
Json job_schema(const model::ModelFamily& family) {
  Json names = Json::array({family.name});
  for (const model::ModelPreset& preset : model::model_presets()) {
    if (preset.family->name == family.name) names.push_back(preset.name);
  }
  Json properties = Json::object();
  refer(family.parameters, std::string(family.name), properties);
  refer(job_parameters(), "job", properties);
  properties["model"] = axis_of({{"enum", names}});
  return {{"type", "object"},
          {"properties", properties},
          {"required", Json::array({"model"})},  // a preset fills in the rest
          {"additionalProperties", false}};
}

Json workload_schema() {
  Json kinds = Json::array({traffic_schema()});
  for (const model::ModelFamily& family : model::model_families())
    kinds.push_back(job_schema(family));
  return {{"oneOf", kinds}};
}

// The schema of `jobs`. An entry has the keys of a training job and those of
// job_entry_parameters(); all jobs share the top-level `iterations`.
Json jobs_schema() {
  Json kinds = Json::array();
  for (const model::ModelFamily& family : model::model_families()) {
    Json schema = job_schema(family);
    refer(job_entry_parameters(), "entry", schema["properties"]);
    schema["properties"].erase("iterations");
    schema["required"].push_back("gpus");
    kinds.push_back(schema);
  }
  return {{"type", "array"}, {"items", {{"oneOf", kinds}}}, {"minItems", 1}};
}

Json definitions() {
  Json all = {{"fabric", fabric_schema()},
              {"job", defined(job_parameters())},
              {"entry", defined(job_entry_parameters())}};
  for (const model::ModelFamily& family : model::model_families()) {
    all[std::string(family.name)] = defined(family.parameters);
  }
  return all;
}

Json accelerator_schema() {
  Json names = Json::array();
  for (const model::AcceleratorPreset& preset : model::accelerator_presets())
    names.push_back(preset.name);
  Json own = map_schema(model::accelerator_parameters(), true);
  own["required"] = Json::array();  // base fills in the rest
  const Json name = {{"enum", names}};
  return {{"description", "accelerator: a name, or a map that describes one"},
          {"anyOf", Json::array({axis_of(name), own})}};
}

}  // namespace

std::string scenario_schema() {
  Json schema = map_schema(scenario_parameters(), true);
  schema["properties"].update(map_schema(cluster_parameters(), true)["properties"]);
  schema["properties"]["workload"] = workload_schema();
  schema["properties"]["jobs"] = jobs_schema();
  schema["properties"]["accelerator"] = accelerator_schema();
  schema["properties"]["fabric"] = {{"$ref", "#/$defs/fabric"}};
  schema["properties"]["fabrics"] = {
      {"type", "array"}, {"items", {{"$ref", "#/$defs/fabric"}}}, {"minItems", 1}};
  schema["properties"]["changes"] = {{"type", "array"},
                                     {"items", map_schema(change_parameters(), false)}};
  schema["allOf"] = Json::array(
      {{{"oneOf", one_of({"workload", "jobs"})}}, {{"oneOf", one_of({"fabric", "fabrics"})}}});
  Json document = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "Lightloom scenario"}};
  document.update(schema);
  document["$defs"] = definitions();
  return document.dump(2) + "\n";
}

}  // namespace loom::scenario
