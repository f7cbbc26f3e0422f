# Builds the steps, the suite and the benchmark. `make help` lists what there is.
BUILD := build
MAKEFLAGS += --no-print-directory
include mk/backend.mk

# Steps are folders with a number, an underscore and a matmult.cu (or matmult.c, for one without CUDA).
CUDA_STEPS := $(sort $(patsubst %/matmult.cu,%,$(wildcard [0-9][0-9]_*/matmult.cu)))
C_STEPS := $(sort $(filter-out $(CUDA_STEPS),$(patsubst %/matmult.c,%,$(wildcard [0-9][0-9]_*/matmult.c))))
STEPS := $(sort $(CUDA_STEPS) $(C_STEPS))
# A mutant is a step with a planted fault: tests/mutants/STEP/NAME.sed puts it in.
MUTANT_SCRIPTS := $(wildcard $(STEPS:%=tests/mutants/%/*.sed))
MUTANTS := $(sort $(basename $(notdir $(MUTANT_SCRIPTS))))

# ---- flags ------------------------------------------------------------------------------------------------------
NATIVE := $(if $(filter aarch64%,$(shell $(CXX) -dumpmachine 2>/dev/null)),-mcpu=native,-march=native)
WARN := -Wall -Wextra
COMMON_FLAGS := -O2 -g -ffp-contract=off -Icommon
C_FLAGS := -std=c11 $(WARN) -Wpedantic $(COMMON_FLAGS)
CPUFLAGS ?= -O3 $(NATIVE)
CC_cpu = $(CC) $(C_FLAGS) -Icudacpu/include $(CFLAGS)
CC_gpu = $(CC) $(C_FLAGS) -isystem $(CUDA_ROOT)/include $(CFLAGS)
CU_cpu = cudacpu/cpucc $(CPUFLAGS) $(WARN) -Icommon -Itests $(CXXFLAGS)
CU_gpu = $(NVCC) -O3 -fmad=false -arch=$(ARCH) -Icommon -Itests -Xcompiler -Wall,-Wextra $(NVCCFLAGS)
LINK_cpu = cudacpu/cpucc $(CPUFLAGS) $(CXXFLAGS) $(LDFLAGS)
LINK_gpu = $(CXX) $(LDFLAGS)
# Sanitizers' flags do not go with observation.
CC_inspect = $(CC) $(C_FLAGS) -Icudacpu/include $(filter-out -fsanitize%,$(CFLAGS)) -DINSPECT
CU_inspect = cudacpu/cpucc --inspect $(WARN) -Icommon -Itests $(filter-out -fsanitize%,$(CXXFLAGS))
LIBS_cpu := -lm
LIBS_gpu := -L$(CUDA_ROOT)/lib64 -lcudart -Wl,-rpath,$(CUDA_ROOT)/lib64 -lm -lpthread -ldl
DEPS = -MMD -MP -MF $(@:.o=.d) -MT $@
CUDACPU := $(wildcard cudacpu/cpucc cudacpu/*/*.h cudacpu/*/*.cpp cudacpu/include/cudacpu/*.h)
CHECK_CFLAGS := $(shell pkg-config --cflags check 2>/dev/null)
CHECK_LIBS := $(shell pkg-config --libs check 2>/dev/null)

.PHONY: all check inspect bench clean help deps need-check docs docs-check ladder figures FORCE $(STEPS) $(addprefix check-,cpu gpu)
.DELETE_ON_ERROR:
.SECONDARY:

# One step that does not compile does not stop the others.
all:
	@$(MAKE) -k $(STEPS)

$(STEPS): %: %/run
$(CUDA_STEPS): %: %/inspect

# $(call remember,file,text): a file that changes only when its text does; what is made with it depends on it.
define remember
$(1): FORCE
	@mkdir -p $$(dir $$@); printf '%s\n' '$(subst ','\'',$(2))' >$$@.new; cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
endef
$(eval $(call remember,$(BUILD)/backend,$(USE)))
$(eval $(call remember,$(BUILD)/why,$(WHY)))
$(eval $(call remember,$(BUILD)/cpu/flags,$(CC_cpu) | $(CU_cpu) | $(LINK_cpu) | $(shell $(CC) --version 2>/dev/null | head -n 1) | $(shell $(CXX) --version 2>/dev/null | head -n 1)))
$(eval $(call remember,$(BUILD)/gpu/flags,$(CC_gpu) | $(CU_gpu) | $(LINK_gpu) | $(shell $(CC) --version 2>/dev/null | head -n 1) | $(if $(NVCC),$(shell $(NVCC) --version | tail -n 1))))

COMMON := $(patsubst common/%.c,%,$(filter-out common/main.c common/article.c,$(wildcard common/*.c)))
IDENTITY = $(subst -,_,$(1))

# $(call mutant,script,step)
define mutant
$(BUILD)/mutants/$(basename $(notdir $(1))).cu: $(1) $(2)/matmult.cu
	@mkdir -p $$(@D)
	sed -f $$^ >$$@
endef
$(foreach script,$(MUTANT_SCRIPTS),$(eval $(call mutant,$(script),$(notdir $(patsubst %/,%,$(dir $(script)))))))

# ---- objects and programs of one backend --------------------------------------------------------------------------
define backend_rules
$(BUILD)/$(1)/common/%.o: common/%.c $(BUILD)/$(1)/flags
	@mkdir -p $$(dir $$@)
	$$(CC_$(1)) $$(DEPS) -c $$< -o $$@

$(BUILD)/$(1)/%/matmult.o: %/matmult.cu $(BUILD)/$(1)/flags $(if $(filter cpu,$(1)),$(CUDACPU))
	@mkdir -p $$(dir $$@)
	$$(CU_$(1)) $$(DEPS) -c $$< -o $$@

$(BUILD)/$(1)/%/matmult.o: %/matmult.c $(BUILD)/$(1)/flags
	@mkdir -p $$(dir $$@)
	$$(CC_$(1)) $$(DEPS) -c $$< -o $$@

$(BUILD)/$(1)/%/main.o: common/main.c $(BUILD)/$(1)/flags $(BUILD)/why
	@mkdir -p $$(dir $$@)
	$$(CC_$(1)) $$(DEPS) -DSTEP='"$$*"' -DBACKEND_WHY='"$(if $(filter cpu,$(1)),$(WHY))"' $$(if $$(filter $$*,$(C_STEPS)),-DSTEP_IS_CPU) -c $$< -o $$@

$(addprefix $(BUILD)/$(1)/,$(addsuffix /run,$(CUDA_STEPS))): $(BUILD)/$(1)/01_cpu_reference/matmult.o

$(BUILD)/$(1)/%/run: $(BUILD)/$(1)/%/main.o $(BUILD)/$(1)/%/matmult.o $(COMMON:%=$(BUILD)/$(1)/common/%.o)
	$$(LINK_$(1)) $$(filter %.o,$$^) $$(LIBS_$(1)) -o $$@

# The suite: every step and every mutant once more, under a name of its own.
$(BUILD)/$(1)/tests/steps.h: FORCE
	@mkdir -p $$(dir $$@)
	@{ for s in $(call IDENTITY,$(CUDA_STEPS)); do echo "CUDA_STEP($$$$s)"; done; for s in $(call IDENTITY,$(C_STEPS)); do echo "CPU_STEP($$$$s)"; done; \
	   for m in $(MUTANT_SCRIPTS:tests/mutants/%.sed=%); do echo "MUTANT($$$${m%/*}, $$$${m#*/})"; done; } >$$@.new; cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@

$(BUILD)/$(1)/tests/%.o: tests/%.c $(BUILD)/$(1)/flags $(BUILD)/$(1)/tests/steps.h
	@mkdir -p $$(dir $$@)
	$$(CC_$(1)) $$(DEPS) $(CHECK_CFLAGS) -Itests -I$(BUILD)/$(1)/tests -DBACKEND='"$(1)"' -DBUILD='"$(BUILD)/$(1)"' -c $$< -o $$@

$(BUILD)/$(1)/tests/%.o: tests/%.cu $(BUILD)/$(1)/flags $(if $(filter cpu,$(1)),$(CUDACPU))
	@mkdir -p $$(dir $$@)
	$$(CU_$(1)) $$(DEPS) -c $$< -o $$@

$(BUILD)/$(1)/tests/mutants/%.o: $(BUILD)/mutants/%.cu $(BUILD)/$(1)/flags $(if $(filter cpu,$(1)),$(CUDACPU))
	@mkdir -p $$(dir $$@)
	@$$(CU_$(1)) $$(DEPS) -DmatmultCUDA=matmultCUDA_mutant_$$* -c $$< -o $$@ || \
	$$(CC_$(1)) -DSTEP='"mutant $$*"' -DmatmultCUDA=matmultCUDA_mutant_$$* -c tests/stub/broken_step.c -o $$@

$(BUILD)/$(1)/tests/steps/%.o: %/matmult.cu $(BUILD)/$(1)/flags $(if $(filter cpu,$(1)),$(CUDACPU))
	@mkdir -p $$(dir $$@)
	@$$(CU_$(1)) $$(DEPS) -DmatmultCUDA=matmultCUDA_$$(call IDENTITY,$$*) -c $$< -o $$@ || \
	$$(CC_$(1)) -DSTEP='"$$*"' -DmatmultCUDA=matmultCUDA_$$(call IDENTITY,$$*) -c tests/stub/broken_step.c -o $$@

$(BUILD)/$(1)/tests/steps/%.o: %/matmult.c $(BUILD)/$(1)/flags
	@mkdir -p $$(dir $$@)
	@$$(CC_$(1)) $$(DEPS) -Dmatmult=matmult_$$(call IDENTITY,$$*) -c $$< -o $$@ || \
	$$(CC_$(1)) -DSTEP='"$$*"' -DSTEP_IS_CPU -Dmatmult=matmult_$$(call IDENTITY,$$*) -c tests/stub/broken_step.c -o $$@

$(BUILD)/$(1)/check: $(patsubst tests/%.c,$(BUILD)/$(1)/tests/%.o,$(wildcard tests/*.c)) $(patsubst tests/%.cu,$(BUILD)/$(1)/tests/%.o,$(wildcard tests/*.cu)) \
    $(STEPS:%=$(BUILD)/$(1)/tests/steps/%.o) $(MUTANTS:%=$(BUILD)/$(1)/tests/mutants/%.o) $(BUILD)/$(1)/01_cpu_reference/matmult.o $(COMMON:%=$(BUILD)/$(1)/common/%.o)
	$$(LINK_$(1)) $$(filter %.o,$$^) $(CHECK_LIBS) $$(LIBS_$(1)) -o $$@

check-$(1): need-check
	@$$(MAKE) -k $(STEPS:%=$(BUILD)/$(1)/%/run) $(if $(filter cpu,$(1)),$(CUDA_STEPS:%=%/inspect)) >/dev/null || echo "not every step compiles: the suite says which" >&2
	@$$(MAKE) $(BUILD)/$(1)/check
	$(BUILD)/$(1)/check
endef
$(eval $(call backend_rules,cpu))
$(eval $(call backend_rules,gpu))

$(BUILD)/cpu/check: $(BUILD)/cpu/tests/faults/run $(BUILD)/inspect/tests/inspect/faults $(BUILD)/inspect/tests/inspect/kernels
# Without a sanitizer: the faults are there on purpose.
$(BUILD)/cpu/tests/faults/run: tests/faults/faults.cu $(BUILD)/cpu/flags $(CUDACPU)
	@mkdir -p $(dir $@)
	$(filter-out -fsanitize=%,$(CU_cpu) $< $(LDFLAGS)) -o $@

# inspect: the unmodified step, observed; on the CPU whatever the backend is.
$(eval $(call remember,$(BUILD)/inspect/flags,$(CU_inspect) | $(CC_inspect) | $(shell $(CXX) --version 2>/dev/null | head -n 1)))
$(BUILD)/inspect/%.o: %.c $(BUILD)/inspect/flags
	@mkdir -p $(dir $@)
	$(CC_inspect) $(DEPS) -c $< -o $@
$(BUILD)/inspect/%/main.o: common/main.c $(BUILD)/inspect/flags
	@mkdir -p $(dir $@)
	$(CC_inspect) $(DEPS) -DSTEP='"$*"' -DBACKEND_WHY='""' -c $< -o $@
$(BUILD)/inspect/%.o: %.cu $(BUILD)/inspect/flags $(CUDACPU)
	@mkdir -p $(dir $@)
	$(CU_inspect) $(DEPS) -c $< -o $@
%/inspect: $(BUILD)/inspect/%/main.o $(BUILD)/inspect/%/matmult.o $(BUILD)/inspect/01_cpu_reference/matmult.o $(COMMON:%=$(BUILD)/inspect/common/%.o) $(BUILD)/inspect/common/article.o
	$(CU_inspect) $(filter %.o,$^) -o $@.new && mv $@.new $@
$(BUILD)/inspect/tests/inspect/%: $(BUILD)/inspect/tests/inspect/%.o
	$(CU_inspect) $< -o $@

# The program in a step's folder is the chosen backend's.
%/run: $(BUILD)/$(USE)/%/run $(BUILD)/backend
	@cp $< $@.new && mv $@.new $@
	@echo "$@ is ready ($(USE) backend$(if $(WHY), - $(WHY)))"

-include $(wildcard $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d)

# ---- the rest -------------------------------------------------------------------------------------------------------
need-check:
	@test -n "$(CHECK_LIBS)" || { echo "Check is missing: 'make deps' installs it" >&2; exit 1; }

ifeq ($(BACKEND),cpu)
check: check-cpu
else ifeq ($(or $(if $(NO_GPU),,gpu),$(filter gpu,$(BACKEND))),gpu)
check: check-cpu check-gpu
else
check: check-cpu
	@echo "SKIP gpu: $(NO_GPU)"
endif

N ?= 1000
inspect: $(CUDA_STEPS:%=%/inspect)
	@tests/inspect_table.sh $(N) $(CUDA_STEPS)

# ---- the benchmark: on a GPU one program of every step and of cuBLAS, where that is installed ------------------------
CUBLAS := $(if $(wildcard $(CUDA_ROOT)/include/cublas_v2.h),$(sort $(patsubst tests/cublas/%.cu,%,$(wildcard tests/cublas/*.cu))))
BENCH := $(BUILD)/gpu/bench

$(BENCH)/programs.h: FORCE
	@mkdir -p $(dir $@)
	@for p in $(call IDENTITY,$(CUDA_STEPS)) $(CUBLAS:%=cublas_%); do echo "PROGRAM($$p)"; done >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BENCH)/bench.o: tests/bench/bench.c $(BUILD)/gpu/flags $(BENCH)/programs.h
	$(CC_gpu) $(DEPS) -I$(BENCH) -c $< -o $@

$(BENCH)/%.o: tests/bench/%.cu $(BUILD)/gpu/flags $(BENCH)/programs.h
	$(CU_gpu) $(DEPS) $(if $(CUBLAS),-DHAVE_CUBLAS) -c $< -o $@

$(BENCH)/cublas_%.o: tests/cublas/%.cu $(BUILD)/gpu/flags
	@mkdir -p $(dir $@)
	$(CU_gpu) $(DEPS) -DmatmultCUDA=matmultCUDA_cublas_$* -c $< -o $@

$(BENCH)/bench: $(BENCH)/bench.o $(BENCH)/judge.o $(BENCH)/ceilings.o $(CUDA_STEPS:%=$(BUILD)/gpu/tests/steps/%.o) $(CUBLAS:%=$(BENCH)/cublas_%.o) \
    $(BUILD)/gpu/common/matgen.o $(BUILD)/gpu/common/timing.o
	$(LINK_gpu) $(filter %.o,$^) $(LIBS_gpu) $(if $(CUBLAS),-lcublas) -o $@

ifeq ($(USE),gpu)
bench: $(BENCH)/bench
	@CUBLAS="$(CUBLAS)" NVCC="$(NVCC)" tests/bench.sh $(BENCH)/bench $(or $(RESULTS),$(BENCH))
else
bench: all
	@tests/bench.sh $(STEPS)
endif

deps:
	@sh mk/deps.sh

# ---- the book ---------------------------------------------------------------------------------------------------------
docs-check:
	@$(MAKE) BACKEND=cpu all $(BUILD)/cpu/tests/faults/run $(BUILD)/inspect/tests/inspect/faults >/dev/null
	@python3 docs/tools/test_check.py
	@python3 docs/tools/ladder.py --check
	@python3 docs/tools/figures.py --check
	@python3 docs/tools/check.py $(PAGES)

DOCS_PACKAGES := python3-sphinx python3-myst-parser furo libjs-mathjax
SPHINX := /usr/bin/python3 -m sphinx
docs:
	@/usr/bin/python3 -c 'import sphinx, myst_parser, furo' 2>/dev/null && test -d /usr/share/javascript/mathjax || \
	{ echo "make docs needs: apt-get install --no-install-recommends $(DOCS_PACKAGES)" >&2; exit 1; }
	@rm -rf docs/_build
	@$(SPHINX) -q -W --keep-going -b html -d docs/_build/cache docs docs/_build/html
	@echo "the book is docs/_build/html/index.html"

ladder:
	@python3 docs/tools/ladder.py

figures:
	@$(MAKE) BACKEND=cpu all >/dev/null
	@python3 docs/tools/figures.py

include mk/labs.mk

clean:
	rm -rf $(BUILD) docs/_build
	rm -f $(addsuffix /run,$(STEPS)) $(addsuffix /inspect,$(STEPS))

help:
	@echo "make                 all steps"
	@echo "make 06_tiled        one step; run it with ./06_tiled/run (--help lists its options)"
	@echo "make check           the suite, on every backend this machine has"
	@echo "make check CK_RUN_CASE=06_tiled   one part of it"
	@echo "make inspect         what each step does to memory, counted (N=1000)"
	@echo "make bench           every step measured here: a table on the CPU; on a GPU cuBLAS too, CSV and plots"
	@echo "make docs            the book as a site, in docs/_build/html"
	@echo "make docs-check      hold the book's code, outputs, figures and links against the repository"
	@echo "make ladder          write README's table of the steps from docs/results"
	@echo "make figures         draw the book's pictures from traces of the kernels and from docs/results"
	@echo "make lab1            build and grade labs/lab1_rectangular/student.cu: $(LAB_NUMBERS:%=lab%)"
	@echo "make grade LAB=1 SUBMISSION=path   for teachers (labs/README.md); make handout, make labs-check, make labs-deps"
	@echo "make deps            install what is missing (apt; as root or through sudo)"
	@echo "make clean           remove what was built"
	@echo "Options: BACKEND=auto|cpu|gpu  ARCH=sm_90 (nvcc's target)  CC= CXX= CFLAGS= CXXFLAGS= LDFLAGS="
	@echo "Steps: $(STEPS)"
	@echo "On Windows: use WSL2."
