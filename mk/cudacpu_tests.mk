# cudacpu_tests.mk - what cudacpu's own suites are built of: check-cudacpu, check-inspect, check-libraries. They are for the
# CPU; of check-cudacpu a GPU can run conformance, features and devices (gpu/features_gpu.sh).
CT := cudacpu/tests
MT := cudacpu/more/tests
IT := cudacpu/inspect/tests
SUITE_FEATURES := $(CT)/check_main $(CT)/check_conformance $(CT)/conformance $(CT)/features $(basename $(wildcard $(CT)/features_*.cu $(MT)/features_*.cu))
ifeq ($(SUITE),check-cudacpu)
SOURCES := $(SUITE_FEATURES) $(addprefix $(CT)/,check_faults refused refused_ptx check_programs check_oracle)
PROGRAMS := $(if $(filter-out faults waits,$(PART)),,$(addprefix $(BUILD)/cpu/$(CT)/faults/,run waits))
else ifeq ($(SUITE),check-inspect)
SOURCES := $(addprefix $(IT)/,check_main check_inspect check_stream_faults check_device_faults)
KNOWN := $(LADDER)
OBSERVED := $(if $(filter-out inspect,$(PART)),,$(filter $(CUDA_STEPS),$(LADDER)))
PROGRAMS := $(addprefix $(BUILD)/cpu/$(IT)/,stream_faults device_faults)
OBSERVED_PROGRAMS := $(patsubst %.cu,$(INSPECT)/%,$(wildcard $(IT)/*.cu))
else ifeq ($(SUITE),check-libraries)
SOURCES := $(MT)/check_libraries
endif

$(OUT)/cudacpu/%.o: cudacpu/%.c $(OUT)/flags
	@mkdir -p $(@D)
	$(silent)$(COMPILE_SUITE)
$(OUT)/cudacpu/%.o: cudacpu/%.cu $(OUT)/flags $(CU_TOOLS)
	@mkdir -p $(@D)
	$(call quiet,$(CU_NAME) $<,$(COMPILE_CU) $(WITH_HEADERS) -Itests -I$(CT) -c $< -o $@)

# The runtime of check-cudacpu's own programs asserts the scheduler's invariant (cudacpu/runtime/scheduler/worker.h).
CHECKED_RUNTIME := $(if $(filter check-cudacpu,$(SUITE)),-DCUDACPU_ASSERTS)
# Programs with faults, planted on purpose, so not with a sanitizer.
BUILD_FAULTY = $(call quiet,CPUCC $<,$(filter-out -fsanitize=%,$(CPUCC) $(CPUFLAGS) $(CHECKED_RUNTIME) $(WARNINGS) $(CXXFLAGS) $< $(LDFLAGS)) -o $@)
$(BUILD)/cpu/$(CT)/faults/run: $(CT)/faults/faults.cu $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(BUILD)/cpu/$(CT)/faults/waits: $(CT)/faults/waits.cu $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(addprefix $(BUILD)/cpu/$(IT)/,stream_faults device_faults): $(BUILD)/cpu/$(IT)/%: $(IT)/%.cu $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(addprefix $(BUILD)/cpu/$(CT)/nccl/,collectives faults): $(BUILD)/cpu/$(CT)/nccl/%: $(CT)/nccl/%.cu $(CT)/nccl/ranks.h $(OUT)/flags $(CUDACPU)
	@mkdir -p $(@D)
	$(BUILD_FAULTY)
$(INSPECT)/$(IT)/%: $(INSPECT)/$(IT)/%.o
	$(call quiet,LINK $@,$(INSPECT_CU) $< -o $@)

check-cudacpu check-inspect check-libraries:
	@$(MAKE) BACKEND=cpu SUITE=$@ suite
