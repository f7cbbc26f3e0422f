# backend.mk - which compiler builds the kernels: nvcc where it can target a GPU of this machine (gpu), else cudacpu (cpu).
BACKEND ?= auto
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
export CC CXX

ifeq ($(filter $(BACKEND),auto cpu gpu),)
$(error BACKEND=$(BACKEND): it is auto, cpu or gpu)
endif

NVCC ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard $(CUDA_HOME)/bin/nvcc /usr/local/cuda/bin/nvcc))
CUDA_ROOT := $(if $(NVCC),$(patsubst %/bin/,%,$(dir $(realpath $(shell command -v $(NVCC))))))
CAPABILITY := $(if $(wildcard /dev/nvidia[0-9]* /dev/nvidiactl /dev/dxg),$(shell nvidia-smi --query-gpu=compute_cap \
    --format=csv,noheader 2>/dev/null | head -n 1 | tr -d ' .'))
TARGETS := $(if $(and $(NVCC),$(CAPABILITY)),$(filter compute_$(CAPABILITY),$(shell $(NVCC) --list-gpu-arch 2>/dev/null)))
ifeq ($(NVCC),)
NO_GPU := no nvcc here
else ifeq ($(CAPABILITY),)
NO_GPU := nvcc is here, an NVIDIA device is not
else ifeq ($(TARGETS),)
NO_GPU := this nvcc cannot target the device (compute capability $(CAPABILITY))
endif
# The backend that this make builds for, and why it is not the GPU's where that cannot be. It is the same for auto and
# BACKEND=cpu, and so are the programs.
CHOSEN_BACKEND := $(if $(filter auto,$(BACKEND)),$(if $(NO_GPU),cpu,gpu),$(BACKEND))
BACKEND_REASON := $(if $(filter cpu,$(CHOSEN_BACKEND)),$(NO_GPU))
ifeq ($(CHOSEN_BACKEND),gpu)
ifeq ($(NVCC),)
$(error BACKEND=gpu needs nvcc, and there is none; BACKEND=cpu runs the same steps on the CPU)
endif
endif
# What compute capability 9.0 alone has needs sm_90a.
ARCH ?= $(if $(CAPABILITY),sm_$(CAPABILITY:90=90a),sm_75)
