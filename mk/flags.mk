# flags.mk - the compilers' commands, for the chosen backend and for inspect, which is always of the CPU. Contraction is off
# on both sides, so that CPU and GPU give the same bits.
# What is built for the chosen backend, and for inspect.
OUT := $(BUILD)/$(CHOSEN_BACKEND)
INSPECT := $(BUILD)/inspect

NATIVE := $(if $(filter aarch64%,$(shell $(CXX) -dumpmachine 2>/dev/null)),-mcpu=native,-march=native)
WARNINGS := -Wall -Wextra
C_FLAGS := -std=c11 $(WARNINGS) -Wpedantic -O2 -g -ffp-contract=off -Icommon
CPUFLAGS ?= -O3 $(NATIVE)
CPUCC := cudacpu/cpucc
CUDACPU := $(filter-out cudacpu/tests/% cudacpu/more/tests/%,$(wildcard cudacpu/cpucc cudacpu/*/*.h cudacpu/runtime/*/* cudacpu/*/*.cpp cudacpu/*/modules cudacpu/more/headers cudacpu/more/compiler/* cudacpu/more/cublas/* cudacpu/include/*/*.h cudacpu/more/include/* cudacpu/more/include/*/*.h \
    cudacpu/inspect/html_report/*))
FIRST_LINE = $(shell $(1) --version 2>/dev/null | head -n 1)

, := ,
ifeq ($(CHOSEN_BACKEND),gpu)
COMPILE_C = $(CC) $(C_FLAGS) -isystem $(CUDA_ROOT)/include $(CFLAGS)
# For one target and no other: -arch=sm_90a would also compile for compute_90, which lacks what sm_90a has.
TARGET = $(if $(filter sm_%,$(ARCH)),-gencode arch=$(ARCH:sm_%=compute_%)$(,)code=$(ARCH),-arch=$(ARCH))
COMPILE_CU = $(NVCC) -O3 -fmad=false $(TARGET) -Icommon -Xcompiler -Wall,-Wextra $(NVCCFLAGS)
CU_NAME := NVCC
LINK = $(CXX) $(LDFLAGS)
LIBS = -L$(CUDA_ROOT)/lib64 -lcudart -Wl,-rpath,$(CUDA_ROOT)/lib64 -lm -lpthread -ldl
COMPILERS := $(call FIRST_LINE,$(CC)) | $(shell $(NVCC) --version | tail -n 1)
else
COMPILE_C = $(CC) $(C_FLAGS) -Icudacpu/include $(CFLAGS)
COMPILE_CU = $(CPUCC) $(CPUFLAGS) $(WARNINGS) -Icommon $(CXXFLAGS)
CU_NAME := CPUCC
LINK = $(CPUCC) $(CPUFLAGS) $(CXXFLAGS) $(LDFLAGS)
LIBS := -lm
COMPILERS := $(call FIRST_LINE,$(CC)) | $(call FIRST_LINE,$(CXX))
endif

# For steps with several devices: NCCL comes with CUDA, or as libnccl-dev; MPI is for several processes.
MPI_CFLAGS := $(shell pkg-config --cflags ompi-c 2>/dev/null)
MPI_LIBS := $(if $(MPI_CFLAGS),-Wl$(,)--as-needed $(shell pkg-config --libs ompi-c))
ifeq ($(CHOSEN_BACKEND),gpu)
NCCL_LIBS := $(if $(wildcard $(CUDA_ROOT)/include/nccl.h /usr/include/nccl.h),-Wl$(,)--as-needed -lnccl)
endif
LIBS += $(MPI_LIBS) $(NCCL_LIBS)
$(OUT)/common/ranks.o: private C_FLAGS += $(if $(MPI_CFLAGS),-DHAVE_MPI $(filter -I%,$(MPI_CFLAGS)))

# Sanitizers' flags do not go with observation.
INSPECT_C = $(CC) $(C_FLAGS) -Icudacpu/include $(filter-out -fsanitize%,$(CFLAGS))
INSPECT_CU = $(CPUCC) --inspect $(WARNINGS) -Icommon $(filter-out -fsanitize%,$(CXXFLAGS))

# Headers that a file includes, for the next make.
WITH_HEADERS = -MMD -MP -MF $(@:.o=.d) -MT $@

$(OUT)/flags: FORCE | need-compilers
	$(call remember,$(COMPILE_C) | $(COMPILE_CU) | $(LINK) | $(COMPILERS) | $(MPI_CFLAGS))
$(INSPECT)/flags: FORCE | need-compilers
	$(call remember,$(INSPECT_C) | $(INSPECT_CU) | $(call FIRST_LINE,$(CXX)))
