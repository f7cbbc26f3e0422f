# bench.mk - the benchmark: on a GPU one program of every step of the ladder and those that NAMES asks for, and of cuBLAS, where
# that is installed (bench/bench.sh); else a table of runs. Of the program on the CPU: make BENCHED="06_tiled" build/cpu/bench/bench.
CUBLAS := $(if $(and $(filter gpu,$(CHOSEN_BACKEND)),$(wildcard $(CUDA_ROOT)/include/cublas_v2.h)),$(sort $(patsubst bench/cublas/%.cu,%,$(wildcard bench/cublas/*.cu))))
BENCH := $(OUT)/bench
BENCHED := $(filter $(CUDA_STEPS),$(sort $(LADDER) $(NAMES)))
.PHONY: bench

$(BENCH)/programs.h: FORCE
	@mkdir -p $(@D)
	@{ $(foreach p,$(BENCHED) $(CUBLAS:%=cublas_%),echo 'PROGRAM($(call identifier,$(p)), "$(p)")';) } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BENCH)/%.o: bench/%.c $(OUT)/flags $(BENCH)/programs.h
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -Itests -I$(BENCH) -c $< -o $@)
$(BENCH)/%.o: bench/%.cu $(OUT)/flags $(BENCH)/programs.h
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) $(if $(CUBLAS),-DHAVE_CUBLAS) -c $< -o $@)
$(BENCH)/cublas_%.o: bench/cublas/%.cu $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) -DmatmultCUDA=matmultCUDA_cublas_$* -c $< -o $@)
# Steps that have a bound of their error: what they do depends on the operands.
BOUNDED := $(patsubst %/step.conf,%,$(shell grep -l '^ *rejected' /dev/null $(wildcard $(BENCHED:%=%/step.conf))))
QUEUED := begin_kernel_timer start_kernel_timer
BENCH_OBJECTS := $(patsubst bench/%,$(BENCH)/%.o,$(basename $(wildcard bench/*.c bench/*.cu)))
$(BENCH)/bench: $(BENCH_OBJECTS) $(OUT)/tests/operands.o $(OUT)/backend.o $(BENCHED:%=$(OUT)/tests/steps/%.o) $(CUBLAS:%=$(BENCH)/cublas_%.o) $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(QUEUED:%=-Wl$(,)--wrap=%) $(LIBS) $(if $(CUBLAS),-lcublas) -o $@)

# When each copy and each kernel of a step runs: build/gpu/bench/timeline N. A step says STEP = its name.
TIMED := cudaMemcpyAsync begin_kernel_timer end_kernel_timer start_task
$(BENCH)/timeline.o: bench/timeline/timeline.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -c $< -o $@)
$(BENCH)/timeline: $(BENCH)/timeline.o $(OUT)/$(or $(STEP),$(firstword $(PANELLED)))/matmult.o $(OUT)/libcommon.a FORCE
	$(call quiet,LINK $@,$(LINK) $(filter-out FORCE,$^) $(TIMED:%=-Wl$(,)--wrap=%) $(LIBS) -o $@)

MEASURED := $(or $(filter $(BENCHED),$(NAMES)),$(BENCHED))
ifeq ($(CHOSEN_BACKEND),gpu)
bench:
	@start=$$(date +%s); $(MAKE) $(PARALLEL) $(BENCH)/bench $(OUT)/$(REFERENCE)/run && echo "build: $$(($$(date +%s) - start)) s"
	@STEPS="$(filter-out $(SEVERAL),$(MEASURED))" BOUNDED="$(filter $(MEASURED),$(BOUNDED))" NVCC="$(NVCC)" \
	    REFERENCE="$(OUT)/$(REFERENCE)/run" bench/bench.sh $(BENCH)/bench $(or $(RESULTS),$(BENCH)) $(MEASURED) $(CUBLAS:%=cublas_%)
else
bench: all
	@bench/bench.sh steps $(or $(RESULTS),$(OUT)) $(LADDER)
endif

# What an SM and its memories do, and variants of step 02: build/gpu/sm/sm, which bench/sm.sh runs. It needs no
# library of CUDA where it runs.
SM := $(OUT)/sm
SM_THREADS := 32 64 128 512 1024
SM_VARIANTS := swapped $(SM_THREADS:%=threads_%)
SM_STEPS := $(filter-out $(SEVERAL),$(filter $(CUDA_STEPS),$(LADDER)))
$(SM)/sm_programs.h: FORCE
	$(call remember,$(foreach s,$(call identifier,$(SM_STEPS)),PROGRAM($(s))) \
	    VARIANT(02_naive_cuda$(,) "as it is"$(,) 256) VARIANT(swapped$(,) "swapped"$(,) 256) \
	    $(foreach t,$(SM_THREADS),VARIANT(threads_$(t)$(,) "as it is"$(,) $(t))))
$(SM)/swapped.cu: bench/sm/swapped.sed 02_naive_cuda/matmult.cu
	@mkdir -p $(@D) && sed -f $^ >$@
$(SM)/threads_%.cu: 02_naive_cuda/matmult.cu
	@mkdir -p $(@D) && sed 's/THREADS = 256/THREADS = $*/' $< >$@
$(SM_VARIANTS:%=$(SM)/%.o): $(SM)/%.o: $(SM)/%.cu $(OUT)/flags
	$(call quiet,NVCC $<,$(COMPILE_CU) -DmatmultCUDA=matmultCUDA_$* -c $< -o $@)
$(SM)/%.o: bench/sm/%.c $(OUT)/flags $(SM)/sm_programs.h
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -Ibench -I$(SM) -c $< -o $@)
$(SM)/%.o: bench/sm/%.cu $(OUT)/flags $(SM)/sm_programs.h
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) -Ibench -c $< -o $@)
SM_OBJECTS := $(patsubst bench/sm/%,$(SM)/%.o,$(basename $(wildcard bench/sm/*.c bench/sm/*.cu))) $(SM_VARIANTS:%=$(SM)/%.o)
$(SM)/sm: $(SM_OBJECTS) $(BENCH)/busy.o $(BENCH)/queue.o $(SM_STEPS:%=$(OUT)/tests/steps/%.o) $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(NVCC) $(filter %.o,$^) $(filter %.a,$^) $(QUEUED:%=-Xlinker --wrap=%) -o $@)
	@cp $(OUT)/tests/steps/06_tiled.o $(SM)
	@$(NVCC) --version | tail -n 1 >$(SM)/compiler
	@git describe --always --dirty >$(SM)/commit 2>/dev/null || echo unknown >$(SM)/commit
