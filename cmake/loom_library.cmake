# loom_library(fabric USES base workload LIBRARIES ...): the folder loom/fabric as a static library.
#
# The target is loom_fabric, its alias lightloom::fabric. Every .cc below the folder belongs to it,
# every *_test.cc to its one test program. An empty folder is skipped.
add_library(loom_all INTERFACE)
add_library(lightloom::lightloom ALIAS loom_all)
set_target_properties(loom_all PROPERTIES EXPORT_NAME lightloom)
set_property(GLOBAL PROPERTY LOOM_TARGETS loom_all)

# Holds the precompiled header; it has the flags of the libraries that use it.
file(WRITE "${PROJECT_BINARY_DIR}/precompiled.cc.tmp" "")
file(COPY_FILE "${PROJECT_BINARY_DIR}/precompiled.cc.tmp" "${PROJECT_BINARY_DIR}/precompiled.cc"
     ONLY_IF_DIFFERENT)
add_library(loom_precompiled OBJECT "${PROJECT_BINARY_DIR}/precompiled.cc")
target_include_directories(loom_precompiled PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(loom_precompiled PRIVATE fmt::fmt)
target_precompile_headers(loom_precompiled PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled.h")

# Lists the files of a folder: <out>_SOURCES, <out>_TESTS and <out>_HEADERS.
function(loom_files out folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cc")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.h")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  set(${out}_SOURCES ${sources} PARENT_SCOPE)
  set(${out}_TESTS ${tests} PARENT_SCOPE)
  set(${out}_HEADERS ${headers} PARENT_SCOPE)
endfunction()

# loom_group(target): a unity build of 24 sources per unit, so that shared headers are parsed
# once. Names in unnamed namespaces must then be unique within a folder; a fabric kind keeps its
# own, such as `build` and `kParameters`, in a namespace of its name. Generated code and the largest
# sources are compiled one by one.
function(loom_group target)
  if(LOOM_GROUPED)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/cli/command[.]cc$|/objects[.]cc$|[.]pb[.]cc$")
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
    target_precompile_headers(${target} REUSE_FROM loom_precompiled)
  endif()
endfunction()

function(loom_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "USES;LIBRARIES")
  loom_files(FOLDER "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
  if(FOLDER_SOURCES)
    add_library(loom_${name} STATIC ${FOLDER_SOURCES})
    loom_group(loom_${name})
    set(scope PUBLIC)
  elseif(FOLDER_HEADERS)
    add_library(loom_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    return()
  endif()
  add_library(lightloom::${name} ALIAS loom_${name})
  set_target_properties(loom_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(loom_${name} ${scope} cxx_std_20)
  target_include_directories(
    loom_${name} ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include>")
  target_link_libraries(loom_${name} ${scope} ${ARG_LIBRARIES})
  foreach(used IN LISTS ARG_USES)
    if(TARGET loom_${used})
      target_link_libraries(loom_${name} ${scope} loom_${used})
    endif()
  endforeach()
  target_link_libraries(loom_all INTERFACE loom_${name})
  set_property(GLOBAL APPEND PROPERTY LOOM_TARGETS loom_${name})
  if(LOOM_TESTS AND FOLDER_TESTS)
    loom_test(${name}_test LABEL unit SOURCES ${FOLDER_TESTS} LINKS loom_${name})
  endif()
endfunction()
