# Installs Lightloom from BUILD into a new prefix, then configures, builds and runs the client
# project in this folder, which sees only that prefix. The installed program must start.
set(scratch "${BUILD}/consumer")
set(prefix "${scratch}/prefix")
file(REMOVE_RECURSE "${scratch}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${scratch}/build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${scratch}/build")
run("${scratch}/build/consumer")
run("${prefix}/bin/lightloom" --version)
