# labs.mk - the labs' targets; included by the top-level Makefile, and by that of a handout.
LABS := $(sort $(patsubst labs/lab%_,%,$(foreach lab,$(wildcard labs/lab[0-9]*_*/student.cu),$(firstword $(subst _,_ ,$(lab))))))
GRADE = NVCC="$(NVCC)" ARCH="$(ARCH)" python3 labs/grader/grade.py $(1) --backend $(USE) --build $(BUILD) \
    $(if $(SEED),--seed '$(SEED)') $(if $(TILE),--tile '$(TILE)') $(if $(TYPE),--type '$(TYPE)')

.PHONY: grade $(LABS:%=lab%)
$(LABS:%=lab%): lab%:
	@$(call GRADE,$*)

grade:
	@$(if $(LAB),,echo "make grade needs LAB=, one of $(LABS)" >&2; exit 2)
	@$(if $(SUBMISSION),,echo "make grade needs SUBMISSION=, a file, a folder or an archive" >&2; exit 2)
	@$(call GRADE,'$(LAB)') --submission '$(SUBMISSION)'
