# The compiler's settings for every file of ours; a program that links Lightloom does not get them.
#
# Floating point is never contracted: a fused multiply-add on one machine and not on another would
# give other bytes out. LOOM_CHECK does not look at NDEBUG and stays on in every build. A designated
# initializer may leave members to their defaults: g++ would call that a missing initializer. Of
# variants it believes that they may be uninitialized (GCC bug 80635).
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
