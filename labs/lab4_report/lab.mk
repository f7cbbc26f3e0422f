# lab.mk - `make lab4-report`: measures, and writes tables and plots. MAX is 128, 256, 512, 1024 or 2048.
MAX ?= $(if $(filter gpu,$(USE)),2048,1024)
LAB4_REPORT := $(BUILD)/labs/lab4_report
.PHONY: lab4-report
lab4-report:
	@mkdir -p $(LAB4_REPORT)
	@$(CU_$(USE)) -Ilabs/lab4_report labs/lab4_report/lab4.cu $(or $(SUBMISSION),labs/lab4_report/student.cu) -o $(LAB4_REPORT)/lab4
	@echo "MAX=$(MAX)$(if $(filter cpu,$(USE)), on the CPU: 1024 takes about a minute on two cores, 2048 about ten)"
	@python3 labs/lab4_report/report.py $(LAB4_REPORT)/lab4 $(MAX) $(LAB4_REPORT)
