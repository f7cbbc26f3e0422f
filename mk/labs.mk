# labs.mk - the labs' targets; included by the top-level Makefile, and by that of a handout.
include mk/texts.mk

LAB_FOLDERS := $(patsubst %/tests.py,%,$(wildcard labs/lab[0-9]*_*/tests.py))
LAB_NUMBERS := $(sort $(foreach lab,$(LAB_FOLDERS),$(firstword $(subst _, ,$(lab:labs/lab%=%)))))
TILE_AND_TYPE = $${TILE:+--tile="$$TILE"} $${TYPE:+--type="$$TYPE"}
TO_SHOW = $(filter lab3-counts lab4-report,$(MAKECMDGOALS))
GRADE = NVCC="$(NVCC)" ARCH="$(ARCH)" python3 labs/grader/grade.py --backend $(CHOSEN_BACKEND) \
	--build $(BUILD) $${SEED:+--seed="$$SEED"} $(TILE_AND_TYPE)

# Of make's own statuses 1 belongs to a question (-q) whose answer is that something is left to do. So `make grade` asks
# one: lines with + are run for all that, and the last target then ends as the grader's status says. `make lab0` does the
# same, so that a task that is not solved is no error of make's.
GRADE_STATUS := $(abspath $(BUILD))/labs/status.$(shell echo $$PPID)
ifneq ($(filter grade grade-all $(LAB_NUMBERS:%=lab%),$(MAKECMDGOALS)),)
ifeq ($(words $(MAKECMDGOALS)),1)
MAKEFLAGS += -q
endif
endif
# $(call end_as,STATUS)
end_as = $(if $(filter 0,$(1)),,$(if $(filter 1,$(1)),@exit 1,+@exit 2))
.PHONY: labs-deps $(LAB_NUMBERS:%=lab%) $(LAB_NUMBERS:%=lab%-run)
$(LAB_NUMBERS:%=lab%): lab%: lab%-run
	$(call end_as,$(shell cat $(GRADE_STATUS) 2>/dev/null; rm -f $(GRADE_STATUS)))

$(LAB_NUMBERS:%=lab%-run): lab%-run:
	+@mkdir -p $(dir $(GRADE_STATUS)) && echo 2 >$(GRADE_STATUS) || exit 0; \
	if $(call useless,make lab$*,LAB LABS SUBMISSION SUBMISSIONS ROSTER DUE JOBS $(if $(TO_SHOW),,SHAPE MAX)); then :; \
	else $(GRADE) --status=$(GRADE_STATUS) $${TASK:+--task="$$TASK"} $${HINT:+--hint="$$HINT"} $*; fi || :

.PHONY: grade grade-run
grade: grade-run
	$(call end_as,$(shell cat $(GRADE_STATUS) 2>/dev/null; rm -f $(GRADE_STATUS)))

grade-run:
	+@mkdir -p $(dir $(GRADE_STATUS)) && echo 2 >$(GRADE_STATUS) || exit 0; \
	if $(call useless,make grade,LABS SUBMISSIONS ROSTER DUE JOBS TASK HINT); then :; \
	elif [ -z "$$LAB" ]; then echo "make grade needs LAB=, one of: $(LAB_NUMBERS)" >&2; \
	elif [ -z "$$SUBMISSION" ]; then \
		echo "make grade needs SUBMISSION=, a file, a folder, a .zip or a .tar.gz" >&2; \
	else $(GRADE) --status=$(GRADE_STATUS) --submission="$$SUBMISSION" -- "$$LAB"; fi || :

.PHONY: grade-all grade-all-run
grade-all: grade-all-run
	$(call end_as,$(shell cat $(GRADE_STATUS) 2>/dev/null; rm -f $(GRADE_STATUS)))

grade-all-run:
	+@mkdir -p $(dir $(GRADE_STATUS)) && echo 2 >$(GRADE_STATUS) || exit 0; \
	if $(call useless,make grade-all,LABS SUBMISSION TASK HINT); then :; \
	elif [ -z "$$LAB" ]; then echo "make grade-all needs LAB=, one of: $(LAB_NUMBERS)" >&2; \
	elif [ -z "$$SUBMISSIONS" ]; then \
		echo "make grade-all needs SUBMISSIONS=, a folder with an entry for each student" >&2; \
	else $(subst grade.py,grade_all.py,$(GRADE)) --status=$(GRADE_STATUS) --submissions="$$SUBMISSIONS" \
		$${ROSTER:+--roster="$$ROSTER"} $${DUE:+--due="$$DUE"} $${JOBS:+--jobs="$$JOBS"} -- "$$LAB"; fi || :

labs-deps:
	@sh mk/deps.sh labs

# $(call submission_or,FILE): in a recipe, sets `source` to the absolute path of SUBMISSION, or of FILE
# where none is given: a name that begins with a dash is a file's, too.
submission_or = source=$$(realpath -e -- "$${SUBMISSION:-$(1)}") || exit 2;
-include $(wildcard labs/lab*/lab.mk)

# lab5-try: one call of student.cu on sizes of your choice, as build/labs/lab5/run and, observed, as
# build/labs/lab5/inspect
LABS_TO_TRY := $(filter 1 2 5,$(LAB_NUMBERS))
LAB_FOLDER = $(firstword $(wildcard labs/lab$*_*))
LAB_TYPE = $${TYPE:-$(shell sed -n 's/^TYPE = "\(.*\)"/\1/p' $(LAB_FOLDER)/tests.py)}
LAB_FLAGS = -Icommon -Ilabs/grader $${TILE:+-DTILE="$$TILE"} -DELEMENT="$(LAB_TYPE)"
LAB_CC_cpu = cudacpu/cpucc -O3
LAB_CC_gpu = $(NVCC) -O3 -fmad=false -lineinfo -arch=$(ARCH)
LAB_CC = $(LAB_CC_$(CHOSEN_BACKEND)) $(LAB_FLAGS)
LAB_SOURCES = labs/grader/try.c $(LAB_FOLDER)/call.cu $(LAB_FOLDER)/student.cu
.PHONY: $(LABS_TO_TRY:%=lab%-try)
$(LABS_TO_TRY:%=lab%-try): lab%-try:
	@$(GRADE) --settings $*
	@mkdir -p $(BUILD)/labs/lab$*
	@echo "CC $(BUILD)/labs/lab$*/run"; $(LAB_CC) $(LAB_SOURCES) -o $(BUILD)/labs/lab$*/run
	@echo "CC $(BUILD)/labs/lab$*/inspect"; cudacpu/cpucc --inspect $(LAB_FLAGS) $(LAB_SOURCES) -o $(BUILD)/labs/lab$*/inspect

# lab2-figures: the figures of its handout
$(if $(filter 2,$(LAB_NUMBERS)),lab2-figures): lab%-figures: lab%-try
	@$(LAB_CC) $(LAB_FOLDER)/measure.c common/timing.c $(LAB_FOLDER)/student.cu \
	-o $(BUILD)/labs/lab$*/measure
	@python3 $(LAB_FOLDER)/figures.py $(BUILD)/labs/lab$*/inspect
	@$(BUILD)/labs/lab$*/measure
.PHONY: lab2-figures

# ---- what a handout lacks ----
ifneq ($(wildcard labs/handout.py),)
.PHONY: handout labs-check
handout:
	@python3 labs/handout.py $(TILE_AND_TYPE) -- $$LAB

# LABS=1,3: only these
labs-check:
	@python3 labs/test.py $${LABS:+"$$LABS"}
endif
