# bench.mk - the benchmark: on a GPU one program of every step and of cuBLAS, where that is installed; else a table of runs.
CUBLAS := $(if $(wildcard $(CUDA_ROOT)/include/cublas_v2.h),$(sort $(patsubst tests/cublas/%.cu,%,$(wildcard tests/cublas/*.cu))))
BENCH := $(BUILD)/gpu/bench
.PHONY: bench

$(BENCH)/programs.h: FORCE
	@mkdir -p $(@D)
	@{ echo "#ifndef FACTS_DECLARED"; echo "#define FACTS_DECLARED"; \
	   for s in $(call identifier,$(CUDA_STEPS)); do echo "extern const step_facts step_facts_$$s;"; done; echo "#endif"; \
	   for s in $(call identifier,$(CUDA_STEPS)); do echo "PROGRAM($$s, &step_facts_$$s)"; done; \
	   for p in $(CUBLAS:%=cublas_%); do echo "PROGRAM($$p, NULL)"; done; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BENCH)/bench.o: tests/bench/bench.c $(OUT)/flags $(BENCH)/programs.h
	$(call quiet,CC $<,$(COMPILE_C) $(WITH_HEADERS) -I$(BENCH) -c $< -o $@)
$(BENCH)/%.o: tests/bench/%.cu $(OUT)/flags $(BENCH)/programs.h
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) $(if $(CUBLAS),-DHAVE_CUBLAS) -c $< -o $@)
$(BENCH)/cublas_%.o: tests/cublas/%.cu $(OUT)/flags
	@mkdir -p $(@D)
	$(call quiet,NVCC $<,$(COMPILE_CU) $(WITH_HEADERS) -DmatmultCUDA=matmultCUDA_cublas_$* -c $< -o $@)
$(BENCH)/bench: $(BENCH)/bench.o $(BENCH)/judge.o $(BENCH)/ceilings.o $(CUDA_STEPS:%=$(OUT)/tests/steps/%.o) \
    $(CUDA_STEPS:%=$(OUT)/tests/facts/%.o) $(CUBLAS:%=$(BENCH)/cublas_%.o) $(OUT)/libcommon.a
	$(call quiet,LINK $@,$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(if $(CUBLAS),-lcublas) -o $@)

ifeq ($(CHOSEN_BACKEND),gpu)
bench: $(BENCH)/bench
	@CUBLAS="$(CUBLAS)" NVCC="$(NVCC)" tests/bench.sh $(BENCH)/bench $(or $(RESULTS),$(BENCH))
else
bench: steps
	@tests/bench.sh $(STEPS)
endif
