// Writes files of other programs independently of our readers and writers: Rostam's files byte by
// byte (a protobuf field is its number and wire type, then a varint, or a length and content),
// FlexFlow's files field by field with the FlatBuffers library, without our schema.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom::foreign {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  return bytes + static_cast<char>(value);
}

inline std::string number_field(std::uint64_t number, std::uint64_t value) {
  return varint(number << 3) + varint(value);
}

inline std::string content_field(std::uint64_t number, std::string_view content) {
  return varint(number << 3 | 2) + varint(content.size()) + std::string(content);
}

struct RostamOp {
  std::string name;
  std::uint64_t time = 0;  // microseconds
  std::uint64_t bytes = 0;
  std::uint64_t type = 0;    // 0 compute, 1 memory, 2 control dependency
  std::uint64_t memory = 0;  // 0 tensor, 1 write variable, 2 read variable, 3 constant
  std::uint64_t output = 0;
};

inline std::string rostam_op(const RostamOp& op) {
  return content_field(1, content_field(1, op.name) + number_field(2, op.time) +
                              number_field(3, op.bytes) + number_field(4, op.type) +
                              number_field(5, op.memory) + number_field(6, op.output));
}

inline std::string rostam_edges(std::string_view node, const std::vector<std::string>& successors) {
  std::string bytes = content_field(1, node);
  for (const std::string& successor : successors) bytes += content_field(2, successor);
  return content_field(2, bytes);
}

// The structs below have the fields of the file. The property of a device is a pair of servers:
// source · (nodes + switches) + destination.
struct FlexTask {
  std::int16_t type = 0;  // 0 forward, 1 backward, 2 comm, 3 update, 4 barrier, 5 nominal, 6 reduce
  std::uint64_t id = 0;
  std::uint64_t device = 0;
  float runtime = 0;  // ms
  std::uint64_t size = 0;
  std::vector<std::uint64_t> next = {};
};

struct FlexDevice {
  std::int16_t type = 0;
  std::uint64_t id = 0;
  std::uint64_t node = 0;
  std::uint64_t property = 0;
  std::uint64_t bandwidth = 0;
};

struct FlexGraph {
  std::uint32_t nodes = 2;
  std::uint32_t switches = 1;
  std::vector<FlexTask> tasks = {};
  std::vector<FlexDevice> devices = {};
};

// One table of a FlatBuffers file: fields are numbered from 0 and may be left out if they are 0.
class FlexTable {
 public:
  explicit FlexTable(flatbuffers::FlatBufferBuilder& file)
      : file_(file), start_(file.StartTable()) {}

  template <class Number>
  FlexTable& number(int field, Number value) {
    file_.AddElement<Number>(place(field), value, Number{});
    return *this;
  }
  template <class Made>
  FlexTable& offset(int field, flatbuffers::Offset<Made> value) {
    file_.AddOffset(place(field), value);
    return *this;
  }
  flatbuffers::Offset<flatbuffers::Table> end() { return {file_.EndTable(start_)}; }

 private:
  static flatbuffers::voffset_t place(int field) {
    return static_cast<flatbuffers::voffset_t>(4 + 2 * field);
  }
  flatbuffers::FlatBufferBuilder& file_;
  flatbuffers::uoffset_t start_;
};

inline std::string flexflow_file(const FlexGraph& graph) {
  flatbuffers::FlatBufferBuilder file;
  std::vector<flatbuffers::Offset<flatbuffers::Table>> tasks;
  for (const FlexTask& it : graph.tasks) {
    const auto next = file.CreateVector(it.next);
    FlexTable table(file);
    table.number(0, it.type).number(1, it.id).number(2, it.device).number(3, it.runtime);
    tasks.push_back(table.number(4, it.size).offset(5, next).end());
  }
  std::vector<flatbuffers::Offset<flatbuffers::Table>> devices;
  for (const FlexDevice& it : graph.devices) {
    FlexTable table(file);
    table.number(0, it.type).number(1, it.id).number(2, it.node);
    devices.push_back(table.number(3, it.property).number(4, it.bandwidth).end());
  }
  const auto all_tasks = file.CreateVector(tasks);
  const auto all_devices = file.CreateVector(devices);
  FlexTable root(file);
  root.number(0, std::uint32_t{1}).number(1, graph.nodes).number(2, graph.switches);
  file.Finish(root.offset(8, all_tasks).offset(9, all_devices).end());
  return {reinterpret_cast<const char*>(file.GetBufferPointer()), file.GetSize()};
}

}  // namespace loom::foreign
