# The CUDA backend: with the toolkit if there is one, else with NVIDIA's headers and runtime library
# from their Python wheels, once for CUDA 12 and once for 13. Sets SAR_CUDA_SKIPPED to the reason
# where neither is to be had.

set(SAR_CUDA_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/cuda/device.c
                     ${CMAKE_CURRENT_SOURCE_DIR}/cuda/graph.c
                     ${CMAKE_CURRENT_SOURCE_DIR}/cuda/kernels.c)

function(sar_add_cuda_library name)
  add_library(${name} STATIC ${SAR_CUDA_SOURCES})
  set_target_properties(${name} PROPERTIES C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L)
  target_link_libraries(${name} PUBLIC sar ${CMAKE_DL_LIBS} PRIVATE $<BUILD_INTERFACE:sar_flags>)
endfunction()

# Downloads package into the build tree and unpacks it, once. A wheel is a zip file.
function(sar_fetch_wheel package out)
  set(folder ${CMAKE_BINARY_DIR}/wheels/${package})
  if(NOT EXISTS ${folder}/nvidia)
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND python3 -m pip download --quiet --timeout 20 --retries 1 --no-deps --only-binary=:all:
                            --dest ${folder} ${package}
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE message)
    file(GLOB wheel ${folder}/*.whl)
    if(wheel)
      list(GET wheel 0 wheel)
      execute_process(COMMAND ${CMAKE_COMMAND} -E tar xf ${wheel} WORKING_DIRECTORY ${folder})
    endif()
  endif()
  file(GLOB unpacked ${folder}/nvidia/*)
  set(${out} "${unpacked}" PARENT_SCOPE)
endfunction()

# The C runtime headers include crt/, which has a wheel of its own since CUDA 13 and is not versioned
# in what C sees of it.
function(sar_add_cuda_from_wheel name package crt)
  sar_fetch_wheel(${package} root)
  file(GLOB library ${root}/lib/libcudart.so.*)
  if(NOT EXISTS "${root}/include/cuda_runtime_api.h" OR NOT library OR NOT crt)
    return()
  endif()
  sar_add_cuda_library(${name})
  target_include_directories(${name} SYSTEM PUBLIC ${root}/include ${crt}/include)
  target_link_libraries(${name} PUBLIC ${library})
endfunction()

find_package(CUDAToolkit QUIET)
if(CUDAToolkit_FOUND)
  sar_add_cuda_library(sar_cuda)
  target_link_libraries(sar_cuda PUBLIC CUDA::cudart)
  set(SAR_CUDA_FROM "toolkit ${CUDAToolkit_VERSION}")
else()
  sar_fetch_wheel(nvidia-cuda-crt crt)
  sar_add_cuda_from_wheel(sar_cuda "nvidia-cuda-runtime" "${crt}")
  sar_add_cuda_from_wheel(sar_cuda12 nvidia-cuda-runtime-cu12 "${crt}")
  set(SAR_CUDA_FROM "NVIDIA's wheels")
endif()

if(TARGET sar_cuda)
  message(STATUS "CUDA backend: ${SAR_CUDA_FROM}")
else()
  set(SAR_CUDA_SKIPPED "no CUDA toolkit, and NVIDIA's wheels could not be fetched")
  message(WARNING "CUDA backend SKIPPED: ${SAR_CUDA_SKIPPED}")
endif()
