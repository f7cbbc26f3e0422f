# labs.mk - the labs' targets; included by the top-level Makefile, and by that of a handout. labs/README.md is for teachers.
LABS := $(sort $(foreach lab,$(wildcard labs/lab[0-9]*_*/student.cu),$(firstword $(subst _, ,$(lab:labs/lab%=%)))))
VARY = $(if $(TILE),--tile '$(TILE)') $(if $(TYPE),--type '$(TYPE)')
GRADE = NVCC="$(NVCC)" ARCH="$(ARCH)" python3 labs/grader/grade.py --backend $(USE) --build $(BUILD) $(if $(SEED),--seed '$(SEED)') $(VARY)

.PHONY: grade handout labs-check labs-deps $(LABS:%=lab%)
$(LABS:%=lab%): lab%:
	@$(GRADE) $*

grade:
	@test -n "$(LAB)" || { echo "make grade needs LAB=, one of: $(LABS)" >&2; exit 2; }
	@test -n '$(SUBMISSION)' || { echo "make grade needs SUBMISSION=, a file, a folder, a .zip or a .tar.gz" >&2; exit 2; }
	@$(GRADE) '$(LAB)' --submission '$(SUBMISSION)'

-include $(wildcard labs/lab*/lab.mk)

labs-deps:
	@sh tests/deps.sh labs

ifneq ($(wildcard labs/handout.py),)
handout:
	@python3 labs/handout.py $(VARY) $(LAB)

# LABS=1,3: only these
labs-check:
	@python3 labs/test.py $(if $(filter command%,$(origin LABS)),$(LABS))
endif
