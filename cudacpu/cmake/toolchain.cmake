# toolchain.cmake - cpucc as CMake's compiler of CUDA, which CMake does not know:
#     cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=PATH/cudacpu/cmake/toolchain.cmake
# The project says LANGUAGES CXX CUDA, as for nvcc. Needs CMake 3.18.
get_filename_component(cudacpu_folder "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(CMAKE_CXX_COMPILER "${cudacpu_folder}/cpucc")
set(CMAKE_CUDA_COMPILER "${cudacpu_folder}/cpucc")

# CMake finds out by trials what a compiler of CUDA is like: it is told.
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID cpucc)
set(CMAKE_CUDA_COMPILER_VERSION 13.0)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_WORKS TRUE)
set(CMAKE_CUDA_COMPILER_HAS_DEVICE_LINK_PHASE FALSE)
set(CMAKE_CUDA_HOST_LINK_LAUNCHER "${cudacpu_folder}/cpucc") # where no file is C++
set(CMAKE_CUDA_ARCHITECTURES OFF CACHE STRING "code is for this machine")
set(_CMAKE_CUDA_WHOLE_FLAG "-c")
set(_CMAKE_CUDA_RDC_FLAG "-dc")
set(_CMAKE_CUDA_PTX_FLAG "-ptx")
set(_CMAKE_CUDA_EXTRA_FLAGS "")
set(CMAKE_INCLUDE_FLAG_CUDA "-I")
set(CMAKE_DEPFILE_FLAGS_CUDA "-MD -MT <DEP_TARGET> -MF <DEP_FILE>")
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
foreach(standard 11 14 17 20 23)
    set(CMAKE_CUDA${standard}_STANDARD_COMPILE_OPTION "-std=c++${standard}")
    set(CMAKE_CUDA${standard}_EXTENSION_COMPILE_OPTION "-std=gnu++${standard}")
endforeach()
