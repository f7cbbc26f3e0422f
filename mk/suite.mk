# suite.mk - the Check suite: one program for each backend, with every step and every mutant under a name of its own. A mutant
# is a step with a planted fault: tests/mutants/STEP/NAME.sed puts it in.
# They test the suite, not a compiler: CHECK_SIZES=small, for clang and the sanitizers, leaves them out.
MUTANT_SCRIPTS := $(if $(filter small,$(CHECK_SIZES)),,$(wildcard $(STEPS:%=tests/mutants/%/*.sed)))
MUTANTS := $(sort $(MUTANT_SCRIPTS:tests/mutants/%.sed=%))
CHECK_CFLAGS ?= $(shell pkg-config --cflags check 2>/dev/null)
CHECK_LIBS ?= $(shell pkg-config --libs check 2>/dev/null)
identifier = $(subst -,_,$(1))
mutant_symbol = matmultCUDA_mutant_$(subst /,_,$(call identifier,$(1)))
BROKEN = $(COMPILE_C) -DSTEP='"$(1)"' $(2) -c tests/stub/broken_step.c -o $@
.PHONY: check check-cpu check-gpu suite need-check need-part inspect

# Steps with panels also as variants whose panels are narrow, a tile of rows each, so that small products have several.
PANELLED := $(patsubst %/matmult.cu,%,$(shell grep -lw 'PANEL = [0-9]*' /dev/null $(CUDA_STEPS:%=%/matmult.cu)))
# The first and the last of them; there may be none. With small sizes they are the only ones: for calls that fail.
KEEPING := $(sort $(firstword $(PANELLED)) $(lastword $(PANELLED)))
NARROW := $(if $(filter small,$(CHECK_SIZES)),$(KEEPING),$(PANELLED))

# The list of all that the suite has, and their facts.
$(OUT)/tests/steps.h: FORCE
	@mkdir -p $(@D)
	@{ echo "#ifndef FACTS_DECLARED"; echo "#define FACTS_DECLARED"; \
	   for s in $(call identifier,$(STEPS)); do echo "extern const step_facts step_facts_$$s;"; done; \
	   echo "#endif"; \
	   for s in $(call identifier,$(CUDA_STEPS)); do echo "CUDA_STEP($$s, step_facts_$$s)"; done; \
	   for s in $(call identifier,$(C_STEPS)); do echo "CPU_STEP($$s, step_facts_$$s)"; done; \
	   for m in $(call identifier,$(MUTANT_SCRIPTS:tests/mutants/%.sed=%)); do \
	       echo "MUTANT($${m%/*}, $${m#*/}, step_facts_$${m%/*})"; done; \
	   for s in $(call identifier,$(NARROW)); do echo "NARROW($$s, step_facts_$$s)"; done; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(OUT)/tests/facts/%.o: $(BUILD)/facts/%.c $(OUT)/flags common/step.h
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) -Dthis_step=step_facts_$(call identifier,$*) -c $< -o $@
$(OUT)/tests/%.o: tests/%.c $(OUT)/flags $(OUT)/tests/steps.h
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) $(CHECK_CFLAGS) -Itests -I$(OUT)/tests -DBACKEND='"$(CHOSEN_BACKEND)"' \
	    -DBUILD='"$(OUT)"' -DOBSERVED='"$(INSPECT)"' -c $< -o $@
$(OUT)/tests/%.o: tests/%.cu $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) $<,$(COMPILE_CU) $(WITH_HEADERS) -Itests -c $< -o $@)

# A step that does not compile is replaced by one that says so, and the others are still checked. On the CPU its program's
# object is there already, and is used under the other name.
STEP_OBJECT = $(if $(filter cpu,$(CHOSEN_BACKEND)),$(wildcard $(OUT)/$(1)/matmult.o))
$(OUT)/tests/steps/%.o: %/matmult.cu $$(wildcard $$*/step.conf) $(OUT)/flags $(CU_TOOLS) $$(call STEP_OBJECT,$$*)
	@mkdir -p $(@D)
	$(if $(call STEP_OBJECT,$*),$(silent)objcopy --redefine-sym matmultCUDA=matmultCUDA_$(call identifier,$*) $(OUT)/$*/matmult.o $@,\
	    $(call quiet,$(CU_NAME) $< (for the suite),{ $(call COMPILE_STEP,$*,$<,-DmatmultCUDA=matmultCUDA_$(call \
	    identifier,$*)); } || $(call BROKEN,$*,-DmatmultCUDA=matmultCUDA_$(call identifier,$*))))
$(OUT)/tests/steps/%.o: %/matmult.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -Dmatmult=matmult_$(call identifier,$*) -c $< -o $@ || \
	    $(call BROKEN,$*,-DSTEP_IS_CPU -Dmatmult=matmult_$(call identifier,$*))
$(BUILD)/mutants/%.cu: tests/mutants/%.sed $$(dir $$*)matmult.cu
	@mkdir -p $(@D)
	$(silent)sed -f $^ >$@
$(OUT)/tests/mutants/%.o: $(BUILD)/mutants/%.cu $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) mutant $*,$(COMPILE_CU) $(WITH_HEADERS) -w -DmatmultCUDA=$(call mutant_symbol,$*) -c $< -o $@ || \
	    $(call BROKEN,mutant $*,-DmatmultCUDA=$(call mutant_symbol,$*)))
$(BUILD)/narrow/%.cu: %/matmult.cu mk/suite.mk
	@mkdir -p $(@D)
	$(silent)sed 's/\bPANEL = [0-9]*/PANEL = 1/' $< >$@
$(PANELLED:%=$(OUT)/tests/narrow/%.o): $(OUT)/tests/narrow/%.o: $(BUILD)/narrow/%.cu $$(wildcard $$*/step.conf) $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) $* with narrow panels,{ $(call COMPILE_STEP,$*,$<,-DmatmultCUDA=matmultCUDA_narrow_$(call \
	    identifier,$*)); } || $(call BROKEN,$*,-DmatmultCUDA=matmultCUDA_narrow_$(call identifier,$*)))

# Without the machine's instruction each fmaf of the model is a call.
$(OUT)/tests/blocked_sum.o: private C_FLAGS += -O3 $(NATIVE)

SUITE := $(patsubst tests/%,$(OUT)/tests/%.o,$(basename $(wildcard tests/*.c tests/*.cu))) $(STEPS:%=$(OUT)/tests/steps/%.o) \
    $(STEPS:%=$(OUT)/tests/facts/%.o) $(MUTANTS:%=$(OUT)/tests/mutants/%.o) $(NARROW:%=$(OUT)/tests/narrow/%.o) \
    $(OUT)/$(REFERENCE)/matmult.o $(OUT)/libcommon.a
$(OUT)/check: $(SUITE)
	$(call quiet,LINK $@,$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(CHECK_LIBS) $(LIBS) -o $@)

# Programs that the suite runs: on the CPU also those with faults, planted on purpose, so not with a sanitizer.
SUITE_PROGRAMS := $(STEPS:%=$(OUT)/%/run)
ifeq ($(CHOSEN_BACKEND)$(findstring -fsanitize,$(CFLAGS)),cpu)
SUITE_PROGRAMS += $(CUDA_STEPS:%=%/inspect)
$(OUT)/check: $(OUT)/tests/faults/run $(OUT)/tests/faults/waits $(OUT)/tests/inspect/stream_faults \
    $(OUT)/tests/inspect/device_faults $(addprefix $(OUT)/tests/nccl/,collectives faults) \
    $(addprefix $(INSPECT)/tests/inspect/,faults stream_faults device_faults async_faults descriptor_faults order_faults fence_faults host_faults shared_faults kernels)
endif
BUILD_FAULTY = $(call quiet,CPUCC $<,$(filter-out -fsanitize=%,$(CPUCC) $(CPUFLAGS) $(WARNINGS) $(CXXFLAGS) $< $(LDFLAGS)) -o $@)
$(BUILD)/cpu/tests/faults/run: tests/faults/faults.cu $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(BUILD)/cpu/tests/faults/waits: tests/faults/waits.cu $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(addprefix $(BUILD)/cpu/tests/inspect/,stream_faults device_faults): $(BUILD)/cpu/tests/inspect/%: tests/inspect/%.cu $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(addprefix $(BUILD)/cpu/tests/nccl/,collectives faults): $(BUILD)/cpu/tests/nccl/%: tests/nccl/%.cu tests/nccl/ranks.h $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(INSPECT)/tests/inspect/%: $(INSPECT)/tests/inspect/%.o
	$(call quiet,LINK $@,$(INSPECT_CU) $< -o $@)

# The first and the last step that keep memory and threads, with calls that fail.
WRAPPED := cudaMalloc cudaFree cudaMallocHost cudaFreeHost cudaMemcpyAsync cudaStreamCreate cudaEventRecord pthread_create pthread_join
$(OUT)/check: $(KEEPING:%=$(OUT)/tests/overlap/%)
$(KEEPING:%=$(OUT)/tests/overlap/%.o): $(OUT)/tests/overlap/%.o: tests/overlap/faulty.c $(OUT)/flags $(OUT)/tests/steps.h mk/suite.mk
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -DmatmultCUDA=matmultCUDA_narrow_$(call identifier,$*) -c $< -o $@
$(KEEPING:%=$(OUT)/tests/overlap/%): $(OUT)/tests/overlap/%: $(OUT)/tests/overlap/%.o $(OUT)/tests/narrow/%.o $(OUT)/$(REFERENCE)/matmult.o \
    $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $^ $(WRAPPED:%=-Wl$(,)--wrap=%) $(LIBS) -o $@)

# A step for several devices as it is built where NCCL and MPI are missing, and where NCCL is: $(BARE)/STEP/run and run_mpi.
BARE := $(OUT)/tests/bare
RANKED := ranked_call main_ranks
$(OUT)/check: $(SEVERAL:%=$(BARE)/%/run) $(if $(MPI_CFLAGS),$(SEVERAL:%=$(BARE)/%/run_mpi))
$(BARE)/%.o: common/%.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -DWITHOUT_NCCL -c $< -o $@
$(BARE)/ranks_mpi.o: common/ranks.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -DWITHOUT_NCCL -DHAVE_MPI $(filter -I%,$(MPI_CFLAGS)) -c $< -o $@
$(BARE)/%/matmult.o: %/matmult.cu $$(wildcard $$*/step.conf) $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) $< (without NCCL),$(call COMPILE_STEP,$*,$<,-DWITHOUT_NCCL -w))
BARE_PARTS := $(RANKED:%=$(BARE)/%.o) $(OUT)/$(REFERENCE)/matmult.o $(OUT)/backend.o $(OUT)/libcommon.a
LINK_BARE = $(call quiet,LINK $@,$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@)
$(SEVERAL:%=$(BARE)/%/run): %/run: %/matmult.o $(BARE)/ranks.o $(BARE_PARTS) $$(subst tests/bare/,,$$*)/facts.o
	$(LINK_BARE)
$(SEVERAL:%=$(BARE)/%/run_mpi): %/run_mpi: %/matmult.o $(BARE)/ranks_mpi.o $(BARE_PARTS) $$(subst tests/bare/,,$$*)/facts.o
	$(LINK_BARE)

need-check:
	@test -n "$(CHECK_LIBS)" || { echo "Check is missing: 'make deps' installs it" >&2; exit 1; }
PARTS = $(STEPS) $(shell sed -n 's/.*add_part.suite, "\([a-z_]*\)".*/\1/p' tests/*.c)
need-part:
	@case " $(PARTS) " in *" $${CK_RUN_CASE:-$(firstword $(STEPS))} "*) ;; \
	*) echo "CK_RUN_CASE='$$CK_RUN_CASE': the suite's parts are $(PARTS)" >&2; exit 2;; esac
suite: need-part need-compilers need-check
	@$(MAKE) $(PARALLEL) -k $(SUITE_PROGRAMS) || echo "not every step compiles: the suite says which" >&2
	@$(MAKE) $(PARALLEL) $(OUT)/check
	$(OUT)/check
check-cpu check-gpu: check-%:
	@$(MAKE) BACKEND=$* BACKEND_REASON='$(if $(filter $*,$(CHOSEN_BACKEND)),$(BACKEND_REASON))' suite

# Every backend that there is, or the one that was asked for.
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
	@tests/inspect_table.sh "$(N)" $(CUDA_STEPS)
