# suite.mk - the Check suites. Each is a program of its own, which is built of what it runs and no more:
#   check          every step of the ladder keeps its tolerance: what README.md tells a reader to type
#   check-sizes    the same steps at more sizes, at larger ones, and with narrow panels
#   check-mutants  the suite itself: steps with a planted fault, tests/mutants/STEP/NAME.sed, are rejected
#   check-gpus     steps for several devices, and NCCL
# and cudacpu's: check-cudacpu, check-inspect, check-libraries (mk/cudacpu_tests.mk). check-all is all of them, in turn.
# CK_RUN_CASE=06_tiled is one part of a suite; what that part does not need is not built. A step that is not in the ladder is a
# part that has to be asked for.
SUITES := check check-sizes check-gpus check-cudacpu check-inspect check-libraries check-mutants
SUITE ?= check
CHECK_CFLAGS ?= $(shell pkg-config --cflags check 2>/dev/null)
CHECK_LIBS ?= $(shell pkg-config --libs check 2>/dev/null)
.PHONY: $(SUITES) check-all check-cpu check-gpu suite need-check need-part inspect

# ---- the parts of each suite
MUTANTS := $(patsubst tests/mutants/%.sed,%,$(wildcard $(STEPS:%=tests/mutants/%/*.sed)))
PARTS_check := $(STEPS) common command_line overlap
PARTS_check-sizes := $(CUDA_STEPS)
PARTS_check-mutants := $(sort $(patsubst %/,%,$(dir $(MUTANTS))))
PARTS_check-gpus := many_gpus nccl
PARTS_check-cudacpu := conformance features devices faults waits refused programs oracle
PARTS_check-inspect := inspect stream_faults device_faults
PARTS_check-libraries := libraries
PART := $(filter $(PARTS_$(SUITE)),$(value CK_RUN_CASE))

# ---- the steps of the chosen suite: all, or the part's alone with the first of those whose bits it must have
same_bits = $(shell sed -n 's/^ *same-bits *= *//p' /dev/null $(wildcard $(1)/step.conf))
having_bits = $(patsubst %/step.conf,%,$(shell grep -lE '^ *same-bits *= *$(1)$$' /dev/null $(wildcard $(STEPS:%=%/step.conf))))
PART_BITS := $(if $(filter $(STEPS),$(PART)),$(call same_bits,$(PART)))
SUITE_STEPS := $(if $(PART),$(sort $(filter $(STEPS),$(PART)) $(if $(PART_BITS),$(firstword $(sort $(call having_bits,$(PART_BITS)))))),$(LADDER))
# Steps with panels also as variants whose panels are a tile of rows, so that small products have several. The first and the
# last of the ladder's are tried with every kind of call that fails, and the last for several devices. There may be none.
PANELLED := $(patsubst %/matmult.cu,%,$(shell grep -lw 'PANEL = [0-9]*' /dev/null $(CUDA_STEPS:%=%/matmult.cu)))
LADDER_PANELLED := $(filter $(LADDER),$(PANELLED))
KEEPING := $(sort $(firstword $(LADDER_PANELLED)) $(lastword $(LADDER_PANELLED)) $(lastword $(filter $(SEVERAL),$(PANELLED))))
OVERLAP := $(KEEPING:%=$(OUT)/tests/overlap/%)

# ---- what the chosen suite is built of: SOURCES, the steps, mutants and narrow variants that it calls, the steps of which it
# knows step.conf alone (KNOWN), and the PROGRAMS and steps' inspect (OBSERVED) that it runs
VERIFY := tests/cases tests/verify tests/operands tests/reference_rows tests/blocked_sum
ifeq ($(SUITE),check)
SOURCES := $(addprefix tests/,check_main check_steps check_calls failing_calls check_common check_command_line check_overlap) $(VERIFY)
CALLED := $(SUITE_STEPS)
KNOWN := $(if $(filter command_line overlap,$(PART)),$(LADDER))
NARROW := $(if $(filter $(STEPS),$(PART)),$(filter $(PART),$(KEEPING)),$(if $(filter common command_line,$(PART)),,$(filter $(LADDER),$(KEEPING))))
# command_line runs the first step with CUDA, the first without, and those whose shared memory grows with n.
PROGRAMS := $(if $(filter-out command_line,$(PART)),,$(addsuffix /run,$(addprefix $(OUT)/,$(sort $(firstword $(CUDA_STEPS)) \
    $(REFERENCE) $(patsubst %/step.conf,%,$(shell grep -l '^ *shared-bytes' /dev/null $(wildcard $(LADDER:%=%/step.conf)))))))) \
    $(if $(filter-out overlap,$(PART)),,$(filter $(LADDER:%=$(OUT)/tests/overlap/%),$(OVERLAP)))
OBSERVED := $(filter $(CUDA_STEPS),$(or $(PART),$(LADDER)))
# Of steps with fallbacks also a product that has them.
OBSERVED_PROGRAMS := $(patsubst %/step.conf,$(INSPECT)/tests/overlap/%,$(shell grep -l '^ *rejected' /dev/null $(OBSERVED:%=%/step.conf)))
else ifeq ($(SUITE),check-sizes)
SOURCES := tests/check_sizes $(VERIFY)
CALLED := $(SUITE_STEPS)
NARROW := $(filter $(or $(PART),$(LADDER)),$(PANELLED))
else ifeq ($(SUITE),check-mutants)
SOURCES := tests/check_mutants $(VERIFY)
CALLED_MUTANTS := $(filter $(patsubst %,%/%,$(or $(PART),$(LADDER))),$(MUTANTS))
else ifeq ($(SUITE),check-gpus)
SOURCES := tests/check_many_gpus tests/operands $(if $(filter cpu,$(CHOSEN_BACKEND)),cudacpu/tests/check_nccl)
CALLED := $(SEVERAL) $(lastword $(filter-out $(SEVERAL),$(LADDER_PANELLED)))
NARROW := $(SEVERAL)
PROGRAMS = $(if $(filter many_gpus,$(PART)),,$(addprefix $(BUILD)/cpu/cudacpu/tests/nccl/,collectives faults)) \
    $(if $(filter nccl,$(PART)),,$(SEVERAL:%=$(OUT)/%/run) $(filter $(SEVERAL:%=$(OUT)/tests/overlap/%),$(OVERLAP)) \
    $(SEVERAL:%=$(BARE)/%/run) $(if $(MPI_CFLAGS),$(SEVERAL:%=$(BARE)/%/run_mpi)))
OBSERVED := $(if $(filter nccl,$(PART)),,$(SEVERAL))
endif
include mk/cudacpu_tests.mk

# ---- objects: the suites' own files
COMPILE_SUITE = $(COMPILE_C) $(WITH_HEADERS) $(CHECK_CFLAGS) -Itests -Icudacpu/tests -DBACKEND='"$(CHOSEN_BACKEND)"' \
    -DBUILD='"$(OUT)"' -DOBSERVED='"$(INSPECT)"' -c $< -o $@
$(OUT)/tests/%.o: tests/%.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_SUITE)
# Without the machine's instruction each fmaf of the model is a call.
$(OUT)/tests/blocked_sum.o: private C_FLAGS += -O3 $(NATIVE)

# ---- objects: steps, variants and mutants, each function under a name of its own
identifier = $(subst -,_,$(1))
BROKEN = $(COMPILE_C) -DSTEP='"$(1)"' $(2) -c tests/stub/broken_step.c -o $@
$(OUT)/tests/facts/%.o: $(BUILD)/facts/%.c $(OUT)/flags common/step.h
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) -Dthis_step=step_facts_$(call identifier,$*) -c $< -o $@
# On the CPU a step is the object of its own program, under the other name. Where one does not compile, which is known once all
# have been tried (see suite), one that says so takes its place, and the others are still checked.
BROKEN_STEPS := $(if $(TRIED),$(filter-out $(patsubst $(OUT)/%/matmult.o,%,$(wildcard $(CUDA_STEPS:%=$(OUT)/%/matmult.o))),$(CUDA_STEPS)))
ifeq ($(CHOSEN_BACKEND),cpu)
$(patsubst %,$(OUT)/tests/steps/%.o,$(filter-out $(BROKEN_STEPS),$(CUDA_STEPS))): $(OUT)/tests/steps/%.o: $(OUT)/%/matmult.o
	@mkdir -p $(@D)
	$(silent)objcopy --redefine-sym matmultCUDA=matmultCUDA_$(call identifier,$*) $< $@
$(BROKEN_STEPS:%=$(OUT)/tests/steps/%.o): $(OUT)/tests/steps/%.o: FORCE
	@mkdir -p $(@D)
	$(silent)$(call BROKEN,$*,-DmatmultCUDA=matmultCUDA_$(call identifier,$*))
else
$(CUDA_STEPS:%=$(OUT)/tests/steps/%.o): $(OUT)/tests/steps/%.o: %/matmult.cu $$(wildcard $$*/step.conf) $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,NVCC $< (for the suite),{ $(call COMPILE_STEP,$*,$<,-DmatmultCUDA=matmultCUDA_$(call \
	    identifier,$*)); } || $(call BROKEN,$*,-DmatmultCUDA=matmultCUDA_$(call identifier,$*)))
endif
$(OUT)/tests/steps/%.o: %/matmult.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -Dmatmult=matmult_$(call identifier,$*) -c $< -o $@ || \
	    $(call BROKEN,$*,-DSTEP_IS_CPU -Dmatmult=matmult_$(call identifier,$*))
mutant_symbol = matmultCUDA_mutant_$(subst /,_,$(call identifier,$(1)))
# All sources of the step go through the script: a header of its own may have the line that is at fault.
$(BUILD)/mutants/%/matmult.cu: tests/mutants/%.sed $$(wildcard $$(dir $$*)*.cu $$(dir $$*)*.h)
	@mkdir -p $(@D)
	$(silent)rm -f $(@D)/*.h; changed=; for source in $(filter-out $<,$^); do sed -f $< $$source >$(@D)/$${source##*/}; \
	    cmp -s $$source $(@D)/$${source##*/} || changed=yes; done; \
	if [ -z "$$changed" ]; then echo "$<: it changes nothing in $(dir $*)" >&2; exit 1; fi
# They run for a moment: -O3 costs the compiler more than it saves. With -O0 a member function that one of them changes, as
# packed_layout::offset, would not be inlined, and the linker would take it from any of them for all.
$(OUT)/tests/mutants/%.o: private CPUFLAGS := -O1 $(NATIVE)
$(OUT)/tests/mutants/%.o: $(BUILD)/mutants/%/matmult.cu $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) mutant $*,$(COMPILE_CU) $(WITH_HEADERS) -w -DmatmultCUDA=$(call mutant_symbol,$*) -c $< -o $@ || \
	    $(call BROKEN,mutant $*,-DmatmultCUDA=$(call mutant_symbol,$*)))
$(BUILD)/narrow/%.cu: %/matmult.cu mk/suite.mk
	@mkdir -p $(@D)
	$(silent)sed 's/\bPANEL = [0-9]*/PANEL = 1/' $< >$@
$(PANELLED:%=$(OUT)/tests/narrow/%.o): $(OUT)/tests/narrow/%.o: $(BUILD)/narrow/%.cu $$(wildcard $$*/step.conf) $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) $* with narrow panels,{ $(call COMPILE_STEP,$*,$<,-I$* -DmatmultCUDA=matmultCUDA_narrow_$(call \
	    identifier,$*)); } || $(call BROKEN,$*,-DmatmultCUDA=matmultCUDA_narrow_$(call identifier,$*)))

# ---- the suite's program, and the list of its steps
SUITE_FOLDER := $(OUT)/suites/$(SUITE)$(PART:%=-%)
LISTED := $(sort $(CALLED) $(KNOWN) $(patsubst %/,%,$(dir $(CALLED_MUTANTS))))
$(SUITE_FOLDER)/steps.h: FORCE
	@mkdir -p $(@D)
	@{ echo "#ifndef FACTS_DECLARED"; echo "#define FACTS_DECLARED"; \
	   for s in $(call identifier,$(LISTED)); do echo "extern const step_facts step_facts_$$s;"; done; \
	   echo "#endif"; \
	   for s in $(call identifier,$(filter $(CALLED),$(CUDA_STEPS))); do echo "CUDA_STEP($$s, step_facts_$$s)"; done; \
	   for s in $(call identifier,$(filter $(CALLED),$(C_STEPS))); do echo "CPU_STEP($$s, step_facts_$$s)"; done; \
	   for s in $(call identifier,$(filter $(KNOWN),$(CUDA_STEPS))); do echo "KNOWN_STEP($$s, step_facts_$$s, 1)"; done; \
	   for s in $(call identifier,$(filter $(KNOWN),$(C_STEPS))); do echo "KNOWN_STEP($$s, step_facts_$$s, 0)"; done; \
	   $(foreach m,$(CALLED_MUTANTS),echo 'MUTANT($(subst /,$(,) ,$(call identifier,$m)), step_facts_$(call \
	       identifier,$(patsubst %/,%,$(dir $m))), "$m")';) \
	   for s in $(call identifier,$(NARROW)); do echo "NARROW($$s, step_facts_$$s)"; done; } >$@.$$$$; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi
$(SUITE_FOLDER)/all_steps.o: tests/all_steps.c $(SUITE_FOLDER)/steps.h $(OUT)/flags
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -Itests -I$(@D) -c $< -o $@
# Calls of CUDA's functions from the steps go through tests/failing_calls.c.
FAILING := $(shell sed -n 's/^WRAP.\(cuda[A-Za-z0-9]*\),.*/\1/p' tests/failing_calls.c)
$(SUITE_FOLDER)/check: $(patsubst %,$(OUT)/%.o,tests/suite tests/command $(SOURCES)) $(SUITE_FOLDER)/all_steps.o \
    $(LISTED:%=$(OUT)/tests/facts/%.o) $(CALLED:%=$(OUT)/tests/steps/%.o) $(CALLED_MUTANTS:%=$(OUT)/tests/mutants/%.o) \
    $(NARROW:%=$(OUT)/tests/narrow/%.o) $(OUT)/$(REFERENCE)/matmult.o $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $(CHECKED_RUNTIME) $(filter %.o,$^) $(filter %.a,$^) $(if $(filter check,$(SUITE)),$(FAILING:%=-Wl$(,)--wrap=%)) \
	    $(CHECK_LIBS) $(LIBS) -o $@)

# ---- programs that suites run: the first and the last step that keep memory and threads, with calls that fail
WRAPPED := cudaMalloc cudaFree cudaMallocHost cudaFreeHost cudaMemcpyAsync cudaStreamCreateWithFlags cudaEventRecord pthread_create pthread_join
$(OVERLAP:%=%.o): $(OUT)/tests/overlap/%.o: tests/overlap/faulty.c $(OUT)/flags mk/suite.mk
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -DmatmultCUDA=matmultCUDA_narrow_$(call identifier,$*) -c $< -o $@
$(OVERLAP): $(OUT)/tests/overlap/%: $(OUT)/tests/overlap/%.o $(OUT)/tests/narrow/%.o $(OUT)/$(REFERENCE)/matmult.o \
    $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $^ $(WRAPPED:%=-Wl$(,)--wrap=%) $(LIBS) -o $@)

$(INSPECT)/tests/overlap/%: $(INSPECT)/tests/overlap/fallbacks.o $(INSPECT)/tests/operands.o $(INSPECT)/%/matmult.o \
    $(INSPECT)/%/facts.o $(INSPECT)/libcommon.a
	$(call quiet,LINK $@,$(INSPECT_CU) $^ -o $@)

# A step for several devices as it is built where NCCL and MPI are missing, and where NCCL is: $(BARE)/STEP/run and run_mpi.
BARE := $(OUT)/tests/bare
RANKED := ranked_call main_ranks
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

# ---- to run a suite: what it needs, then itself
need-check:
	@test -n "$(CHECK_LIBS)" || { echo "Check is missing: 'make deps' installs it" >&2; exit 1; }
need-part:
	@has() { case " $$1 " in *" $$CK_RUN_CASE "*) return 0;; esac; return 1; }; other=; \
	[ -z "$$CK_RUN_CASE" ] || has "$(PARTS_$(SUITE))" || { \
	$(foreach s,$(filter-out $(SUITE),$(SUITES)),! has "$(PARTS_$(s))" || other="it is a part of 'make $(s)'; ";) \
	echo "CK_RUN_CASE='$$CK_RUN_CASE': $${other}the parts of 'make $(SUITE)' are $(PARTS_$(SUITE))" >&2; exit 2; }
# The observed programs have no sanitizer.
RUN_BY_SUITE = $(PROGRAMS) $(if $(filter cpu,$(CHOSEN_BACKEND)),$(CALLED:%=$(OUT)/%/matmult.o) \
    $(if $(findstring -fsanitize,$(CFLAGS)),,$(OBSERVED:%=%/inspect) $(OBSERVED_PROGRAMS)))
suite: need-part need-compilers need-check
	@$(if $(strip $(RUN_BY_SUITE)),$(MAKE) $(PARALLEL) -k $(RUN_BY_SUITE),:) || echo "not everything compiles: the suite says what" >&2
	@$(MAKE) $(PARALLEL) TRIED=1 $(SUITE_FOLDER)/check
	@$(SUITE_FOLDER)/check

check-cpu check-gpu: check-%:
	@$(MAKE) BACKEND=$* SUITE=check suite
# Every backend that there is, or the one that was asked for.
ifeq ($(BACKEND),cpu)
check: check-cpu
else ifeq ($(or $(if $(NO_GPU),,gpu),$(filter gpu,$(BACKEND))),gpu)
check:
	@$(MAKE) check-cpu
	@$(MAKE) check-gpu
else
check: check-cpu
	@echo "SKIP gpu: $(NO_GPU)"
endif
$(filter-out check check-cudacpu check-inspect check-libraries,$(SUITES)):
	@$(MAKE) SUITE=$@ suite
# One after the other: each uses all processors. A suite that fails does not stop the next.
check-all:
	@failed=; for suite in $(SUITES); do echo "== make $$suite"; $(MAKE) $$suite || failed="$$failed $$suite"; done; \
	[ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

N ?= 1000
inspect: $(patsubst %,%/inspect,$(filter $(CUDA_STEPS),$(LADDER)))
	@bench/inspect_table.sh "$(N)" $(filter $(CUDA_STEPS),$(LADDER))
