# loom_test(fabric_test LABEL unit SOURCES ... LINKS ... PROPERTIES ...): one GoogleTest program.
# ctest lists each of its tests as fabric/Suite.Sentence, with the given properties.
#
# Tests are compiled with LOOM_SOURCE_DIR (the root of the sources), LOOM_BINARY (the program) and
# LOOM_PYTHON (a python3 that sees the system's modules, whatever comes first in PATH).
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(rapidcheck QUIET)
find_program(LOOM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(LOOM_PYTHON python3 REQUIRED)
set(LOOM_BINARY "${PROJECT_BINARY_DIR}/bin/lightloom")

add_library(loom_testing INTERFACE)
target_include_directories(loom_testing INTERFACE "${PROJECT_SOURCE_DIR}")
target_link_libraries(loom_testing INTERFACE GTest::gtest_main GTest::gmock)
target_compile_definitions(
  loom_testing
  INTERFACE LOOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LOOM_BINARY="${LOOM_BINARY}"
            LOOM_PYTHON="${LOOM_PYTHON}")
if(rapidcheck_FOUND)
  target_link_libraries(loom_testing INTERFACE rapidcheck_gtest)
else()
  message(STATUS "RapidCheck is not installed; tests that include it will not compile")
endif()

# GoogleTest's headers take longer to parse than most tests take to compile: precompile them once.
file(WRITE "${PROJECT_BINARY_DIR}/precompiled_tests.cc" "")
add_library(loom_precompiled_tests OBJECT "${PROJECT_BINARY_DIR}/precompiled_tests.cc")
target_link_libraries(loom_precompiled_tests PRIVATE loom_testing fmt::fmt)
target_precompile_headers(loom_precompiled_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/precompiled.h")

# All test programs labeled unit; built by ./test --fast.
add_custom_target(unit_tests)

function(loom_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "LABEL" "SOURCES;LINKS;PROPERTIES")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE loom_testing ${ARG_LINKS})
  target_precompile_headers(${name} REUSE_FROM loom_precompiled_tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(ARG_LABEL STREQUAL unit)
    add_dependencies(unit_tests ${name})
  endif()
  string(REGEX REPLACE "_test$" "/" prefix ${name})
  string(REPLACE "tests_" "tests/" prefix ${prefix})
  gtest_discover_tests(
    ${name} TEST_PREFIX "${prefix}" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTIES LABELS ${ARG_LABEL}
                                                  ${ARG_PROPERTIES})
endfunction()

# A test that cannot run on this machine: ctest lists it as skipped, with the reason.
function(loom_skipped_test name why)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: " ${ARGN})
endfunction()
