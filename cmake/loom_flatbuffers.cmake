# loom_flatbuffers(foreign flexflow.fbs): what flatc makes of loom/foreign/flexflow.fbs is a header
# that the sources of the library loom_foreign alone see ("loom/foreign/flexflow_generated.h"). The
# library it uses is headers only.
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
  target_include_directories(loom_${name} SYSTEM PRIVATE "${generated}" "${FLATBUFFERS_INCLUDE}")
endfunction()
