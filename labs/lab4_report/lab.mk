# lab.mk - `make lab4-report` measures and writes tables and plots, MAX=128, 256, 512, 1024 or 2048; `make lab4-program`
# only makes the program.
LAB4_MAX = $${MAX:-$(if $(filter gpu,$(CHOSEN_BACKEND)),2048,1024)}
LAB4_REPORT := $(BUILD)/labs/lab4_report
LAB4_cpu = cudacpu/cpucc -O3 $(if $(filter aarch64,$(shell uname -m)),-mcpu=native,-march=native)
LAB4_gpu = $(NVCC) -O3 -fmad=false -arch=$(ARCH)
$(LAB4_REPORT)/lab4:
	@mkdir -p $(@D)
	@$(call submission_or,labs/lab4_report/student.cu) $(LAB4_$(CHOSEN_BACKEND)) -Icommon "$$source" labs/lab4_report/lab4.cu -o $@
.PHONY: lab4-report lab4-program $(LAB4_REPORT)/lab4
lab4-program: $(LAB4_REPORT)/lab4
	@echo "$<"
.PHONY: lab4-max
lab4-max:
	@case "$(LAB4_MAX)" in 128 | 256 | 512 | 1024 | 2048) ;; \
	*) printf 'MAX=%s: it is 128, 256, 512, 1024 or 2048\n' "$$MAX" >&2; exit 2 ;; esac
lab4-report: lab4-max $(LAB4_REPORT)/lab4
	@echo "MAX=$(LAB4_MAX)$(if $(filter cpu,$(CHOSEN_BACKEND)), on the CPU: 1024 takes about a minute on two cores; 2048 about ten)"
	@python3 labs/lab4_report/report.py $< "$(LAB4_MAX)" $(LAB4_REPORT)
