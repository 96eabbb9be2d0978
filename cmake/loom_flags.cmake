# Compiler flags for all our sources; programs that link Lightloom do not inherit them.
#
# -ffp-contract=off: fused multiply-add on some machines only would make outputs differ by machine.
# -Wno-missing-field-initializers: designated initializers may leave members at their defaults.
# -Wno-maybe-uninitialized: g++ reports false positives on variants (GCC bug 80635).
# ggc-*: g++ collects its garbage only above half a gigabyte, which saves 7 % of a grouped build;
# clang-tidy, which reads the commands of the other one, does not know the parameter.
# LOOM_CHECK ignores NDEBUG and stays on in every build.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -Wno-maybe-uninitialized -ffp-contract=off)
add_compile_definitions(LOOM_VERSION="${PROJECT_VERSION}")

if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

if(LOOM_GROUPED AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-heapsize=524288" "SHELL:--param ggc-min-expand=100")
endif()
