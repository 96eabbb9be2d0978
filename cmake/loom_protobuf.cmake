# loom_protobuf(foreign rostam.proto): adds the code protoc generates from
# loom/foreign/rostam.proto to loom_foreign. Only the sources of that library can include the
# generated header, "loom/foreign/rostam.pb.h".
function(loom_protobuf name file)
  cmake_path(GET file STEM stem)
  set(generated "${PROJECT_BINARY_DIR}/generated")
  set(output "${generated}/loom/${name}/${stem}.pb")
  add_custom_command(
    OUTPUT "${output}.cc" "${output}.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${generated}"
    COMMAND protobuf::protoc "--proto_path=${PROJECT_SOURCE_DIR}" "--cpp_out=${generated}"
            "loom/${name}/${file}"
    DEPENDS "${PROJECT_SOURCE_DIR}/loom/${name}/${file}"
    VERBATIM)
  target_sources(loom_${name} PRIVATE "${output}.cc" "${output}.h")
  set_property(GLOBAL APPEND PROPERTY LOOM_GENERATED "${output}.h")
  target_include_directories(loom_${name} SYSTEM PRIVATE "${generated}")
  set_source_files_properties("${output}.cc" PROPERTIES COMPILE_OPTIONS -w)
endfunction()
