# steps.mk - run and inspect of each step, and the parts that they share.
CU_TOOLS := $(if $(filter cpu,$(CHOSEN_BACKEND)),$(CUDACPU))
PROGRAM_MAINS := main main_cpu main_ranks
COMMON := $(filter-out $(PROGRAM_MAINS),$(patsubst common/%.c,%,$(wildcard common/*.c)))

# ---- what a step keeps: its step.conf as C. A step without one has the defaults.
.SECONDEXPANSION:
$(BUILD)/facts/%.c: mk/step_facts.awk $$(wildcard $$*/step.conf)
	@mkdir -p $(@D)
	$(silent)LC_ALL=C awk -v step=$* -v symbol=this_step -f $< $(or $(filter %.conf,$^),/dev/null) >$@

# ---- common/: one archive for each backend, so that a program takes from it what it needs.
$(OUT)/common/%.o: common/%.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) $(WITH_HEADERS) -c $< -o $@
$(INSPECT)/common/%.o: common/%.c $(INSPECT)/flags
	@mkdir -p $(@D)
	$(silent)$(INSPECT_C) $(WITH_HEADERS) -c $< -o $@
%/libcommon.a: $(COMMON:%=$$*/common/%.o)
	$(call quiet,CC common/*.c ($(notdir $*)),rm -f $@.new; $(AR) rcs $@.new $^ && mv $@.new $@)

# ---- which backend a program is of, and why
$(OUT)/backend.c: FORCE | need-compilers
	$(call remember,const char *const backend_name = "$(CHOSEN_BACKEND)"; \
	    const char *const backend_reason = "$(BACKEND_REASON)";)
$(INSPECT)/backend.c: FORCE | need-compilers
	$(call remember,const char *const backend_name = "cpu"; const char *const backend_reason = "";)
%/backend.o: %/backend.c
	$(silent)$(CC) -c $< -o $@

# ---- a step's kernels: $(call COMPILE_STEP,step,source,flags). Where nvcc's target is below the step's, a program that says so.
ifeq ($(CHOSEN_BACKEND),gpu)
COMPILE_STEP = needed=$$(mk/needs_target.sh $(ARCH) $(1)/step.conf); \
    if [ -z "$$needed" ]; then $(COMPILE_CU) $(WITH_HEADERS) $(3) -c $(2) -o $@; \
    else $(COMPILE_C) $(3) -DSTEP='"$(1)"' -DNEEDED="\"$$needed\"" -DARCH='"$(ARCH)"' -c mk/below_target.c -o $@; fi
else
COMPILE_STEP = $(COMPILE_CU) $(WITH_HEADERS) $(3) -c $(2) -o $@
endif

# ---- a step's objects. Once one is to be made again, the programs of the source before are gone: what does not compile
# does not run. The program in the step's folder may be another build's.
FORGET_RUN = ! cmp -s $(@D)/run $*/run || rm -f $*/run; rm -f $@ $(@D)/run
FORGET_INSPECT = ! cmp -s $(@D)/inspect $*/inspect || rm -f $*/inspect; rm -f $@ $(@D)/inspect
$(OUT)/%/facts.o: $(BUILD)/facts/%.c $(OUT)/flags common/step.h
	@mkdir -p $(@D)
	$(silent)$(COMPILE_C) -c $< -o $@
$(OUT)/%/matmult.o: %/matmult.cu $$(wildcard $$*/step.conf) $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D); $(FORGET_RUN)
	$(call quiet,$(CU_NAME) $<,$(call COMPILE_STEP,$*,$<))
$(OUT)/%/matmult.o: %/matmult.c $(OUT)/flags
	@mkdir -p $(@D); $(FORGET_RUN)
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -c $< -o $@)
$(INSPECT)/%/facts.o: $(BUILD)/facts/%.c $(INSPECT)/flags common/step.h
	@mkdir -p $(@D)
	$(silent)$(INSPECT_C) -c $< -o $@
$(INSPECT)/%.o: %.c $(INSPECT)/flags
	@mkdir -p $(@D)
	$(silent)$(INSPECT_C) $(WITH_HEADERS) -c $< -o $@
$(INSPECT)/%/matmult.o: %/matmult.cu $(INSPECT)/flags $(CUDACPU)
	@mkdir -p $(@D); $(FORGET_INSPECT)
	$(call quiet,CPUCC --inspect $<,$(INSPECT_CU) $(WITH_HEADERS) -c $< -o $@)
$(INSPECT)/%.o: %.cu $(INSPECT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(call quiet,CPUCC --inspect $<,$(INSPECT_CU) $(WITH_HEADERS) -c $< -o $@)

# ---- programs. A CUDA step's are linked with the reference, the first step without CUDA.
REFERENCE := $(firstword $(C_STEPS))
SEVERAL := $(patsubst %/step.conf,%,$(shell grep -lE '^ *devices *= *several' /dev/null $(wildcard $(CUDA_STEPS:%=%/step.conf))))
$(CUDA_STEPS:%=$(OUT)/%/run): $(OUT)/$(REFERENCE)/matmult.o
$(addprefix $(OUT)/,$(addsuffix /run,$(filter-out $(SEVERAL),$(CUDA_STEPS)))): $(OUT)/common/main.o
$(SEVERAL:%=$(OUT)/%/run): $(OUT)/common/main_ranks.o
ifeq ($(MPI_CFLAGS),)
$(SEVERAL): WITHOUT = It is built without MPI, for threads of one process ('make deps MPI=1' installs it).
endif
$(C_STEPS:%=$(OUT)/%/run): $(OUT)/common/main_cpu.o
$(OUT)/%/run: $(OUT)/%/matmult.o $(OUT)/%/facts.o $(OUT)/backend.o $(OUT)/libcommon.a
	$(call quiet,LINK $*/run,$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@)
$(INSPECT)/%/inspect: $(INSPECT)/cudacpu/inspect/step_main.o $(INSPECT)/%/matmult.o $(INSPECT)/%/facts.o \
    $(INSPECT)/$(REFERENCE)/matmult.o $(INSPECT)/backend.o $(INSPECT)/libcommon.a
	$(call quiet,LINK $*/inspect,$(INSPECT_CU) $(filter %.o,$^) $(filter %.a,$^) -o $@)

# The programs in a step's folder are copies: of the chosen backend's, and of the last build's where there are several (BUILD=).
build/chosen: FORCE
	$(call remember,$(OUT) $(INSPECT))
%/run: $(OUT)/%/run build/chosen
	@cp $< $@.new && mv $@.new $@
%/inspect: $(INSPECT)/%/inspect build/chosen
	@cp $< $@.new && mv $@.new $@
