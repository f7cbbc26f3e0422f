# bench.mk - the benchmark: on a GPU one program of every step and of cuBLAS, where that is installed; else a table of runs.
CUBLAS := $(if $(wildcard $(CUDA_ROOT)/include/cublas_v2.h),$(sort $(patsubst tests/cublas/%.cu,%,$(wildcard tests/cublas/*.cu))))
BENCH := $(BUILD)/gpu/bench
.PHONY: bench

$(BENCH)/programs.h: FORCE
	@mkdir -p $(@D)
	@{ $(foreach p,$(CUDA_STEPS) $(CUBLAS:%=cublas_%),echo 'PROGRAM($(call identifier,$(p)), "$(p)")';) } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BENCH)/%.o: tests/bench/%.c $(OUT)/flags $(BENCH)/programs.h
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -I$(BENCH) -c $< -o $@)
$(BENCH)/%.o: tests/bench/%.cu $(OUT)/flags $(BENCH)/programs.h
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) $(if $(CUBLAS),-DHAVE_CUBLAS) -c $< -o $@)
$(BENCH)/cublas_%.o: tests/cublas/%.cu $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) -DmatmultCUDA=matmultCUDA_cublas_$* -c $< -o $@)
QUEUED := begin_kernel_timer start_kernel_timer
BENCH_OBJECTS := $(patsubst tests/bench/%,$(BENCH)/%.o,$(basename $(wildcard tests/bench/*.c tests/bench/*.cu)))
$(BENCH)/bench: $(BENCH_OBJECTS) $(CUDA_STEPS:%=$(OUT)/tests/steps/%.o) $(CUBLAS:%=$(BENCH)/cublas_%.o) $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(QUEUED:%=-Wl$(,)--wrap=%) $(LIBS) $(if $(CUBLAS),-lcublas) -o $@)

# When each copy and each kernel of a step runs: build/gpu/bench/timeline N. A step says STEP = its name.
TIMED := cudaMemcpyAsync begin_kernel_timer end_kernel_timer start_task
$(BENCH)/timeline.o: tests/timeline/timeline.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -c $< -o $@)
$(BENCH)/timeline: $(BENCH)/timeline.o $(OUT)/$(or $(STEP),$(firstword $(PANELLED)))/matmult.o $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $^ $(TIMED:%=-Wl$(,)--wrap=%) $(LIBS) -o $@)

ifeq ($(CHOSEN_BACKEND),gpu)
bench: $(BENCH)/bench
	@CUBLAS="$(CUBLAS)" NVCC="$(NVCC)" tests/bench.sh $(BENCH)/bench $(or $(RESULTS),$(BENCH))
else
bench: steps
	@tests/bench.sh $(STEPS)
endif
