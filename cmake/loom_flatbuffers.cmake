# loom_flatbuffers(foreign flexflow.fbs): generates "loom/foreign/flexflow_generated.h" from
# loom/foreign/flexflow.fbs with flatc. Only the sources of loom_foreign can include that header.
# FlatBuffers itself is header-only.
find_program(LOOM_FLATC flatc REQUIRED)
find_path(FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)

function(loom_flatbuffers name file)
  cmake_path(GET file STEM stem)
  set(generated "${PROJECT_BINARY_DIR}/generated")
  set(output "${generated}/loom/${name}/${stem}_generated.h")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${LOOM_FLATC}" --cpp -o "${generated}/loom/${name}"
            "${PROJECT_SOURCE_DIR}/loom/${name}/${file}"
    DEPENDS "${PROJECT_SOURCE_DIR}/loom/${name}/${file}"
    VERBATIM)
  target_sources(loom_${name} PRIVATE "${output}")
  set_property(GLOBAL APPEND PROPERTY LOOM_GENERATED "${output}")
  target_include_directories(loom_${name} SYSTEM PRIVATE "${generated}" "${FLATBUFFERS_INCLUDE}")
endfunction()
