# Install rules: after `cmake --install`, find_package(lightloom) provides lightloom::lightloom.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/lightloom")
get_property(targets GLOBAL PROPERTY LOOM_TARGETS)
install(TARGETS ${targets} EXPORT lightloom ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT lightloom NAMESPACE lightloom:: FILE lightloom-targets.cmake
        DESTINATION "${package}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/loom" DESTINATION include
        FILES_MATCHING PATTERN "*.h" PATTERN "*testing.h" EXCLUDE)
if(TARGET lightloom)
  install(TARGETS lightloom RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/lightloom-config.cmake.in"
  "${PROJECT_BINARY_DIR}/lightloom-config.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/lightloom-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/lightloom-config.cmake"
              "${PROJECT_BINARY_DIR}/lightloom-config-version.cmake" DESTINATION "${package}")
