# labs.mk - the labs' targets; included by the top-level Makefile, and by that of a handout. labs/README.md is for teachers.
# What is handed over is text, for neither make nor the shell to run: make takes it as it stands, and commands find it
# in the environment. Before anything else, as newer makes also hand variables to $(shell).
TEXTS := LAB LABS SUBMISSION SEED TILE TYPE VARIANT SHAPE MAX
TEXTS := $(foreach name,$(TEXTS),$(if $(filter undefined,$(origin $(name))),,$(name)))
$(foreach name,$(TEXTS),$(eval override $(name) := $$(value $(name))))
export $(TEXTS)

LAB_NUMBERS := $(sort $(foreach lab,$(wildcard labs/lab[0-9]*_*/student.cu),$(firstword $(subst _, ,$(lab:labs/lab%=%)))))
VARY = $${TILE:+--tile="$$TILE"} $${TYPE:+--type="$$TYPE"}
GRADE = NVCC="$(NVCC)" ARCH="$(ARCH)" python3 labs/grader/grade.py --backend $(USE) --build $(BUILD) $${SEED:+--seed="$$SEED"} $(VARY)

.PHONY: grade handout labs-check labs-deps $(LAB_NUMBERS:%=lab%)
$(LAB_NUMBERS:%=lab%): lab%:
	@$(GRADE) $*

grade:
	@test -n "$$LAB" || { echo "make grade needs LAB=, one of: $(LAB_NUMBERS)" >&2; exit 2; }
	@test -n "$$SUBMISSION" || { echo "make grade needs SUBMISSION=, a file, a folder, a .zip or a .tar.gz" >&2; exit 2; }
	@$(GRADE) --submission="$$SUBMISSION" -- "$$LAB"

-include $(wildcard labs/lab*/lab.mk)

labs-deps:
	@sh mk/deps.sh labs

ifneq ($(wildcard labs/handout.py),)
handout:
	@python3 labs/handout.py $(VARY) -- $$LAB

# LABS=1,3: only these
labs-check:
	@python3 labs/test.py $${LABS:+"$$LABS"}
endif

# lab5-try: one call of student.cu on sizes of your choice, as build/labs/lab5/run and, observed, as build/labs/lab5/inspect
TRY := $(filter 1 2 5,$(LAB_NUMBERS))
LAB_FOLDER = $(firstword $(wildcard labs/lab$*_*))
LAB_FLAGS = -Icommon -Ilabs/grader $${TILE:+-DTILE="$$TILE"} -DELEMENT="$${TYPE:-$(shell sed -n 's/^TYPE = "\(.*\)"/\1/p' $(LAB_FOLDER)/tests.py)}"
LAB_CC = $(if $(filter gpu,$(USE)),$(NVCC) -O3 -fmad=false -lineinfo -arch=$(ARCH),cudacpu/cpucc -O3) $(LAB_FLAGS)
.PHONY: $(TRY:%=lab%-try)
$(TRY:%=lab%-try): lab%-try:
	@mkdir -p $(BUILD)/labs/lab$*
	$(LAB_CC) labs/grader/try.c $(LAB_FOLDER)/call.cu $(LAB_FOLDER)/student.cu -o $(BUILD)/labs/lab$*/run
	cudacpu/cpucc --inspect $(LAB_FLAGS) labs/grader/try.c $(LAB_FOLDER)/call.cu $(LAB_FOLDER)/student.cu -o $(BUILD)/labs/lab$*/inspect

# lab2-figures: the figures of its handout
$(if $(filter 2,$(LAB_NUMBERS)),lab2-figures): lab%-figures: lab%-try
	@$(LAB_CC) $(LAB_FOLDER)/measure.c common/timing.c $(LAB_FOLDER)/student.cu -o $(BUILD)/labs/lab$*/measure
	@python3 $(LAB_FOLDER)/figures.py $(BUILD)/labs/lab$*/inspect
	@$(BUILD)/labs/lab$*/measure
.PHONY: lab2-figures
