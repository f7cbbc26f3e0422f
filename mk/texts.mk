# texts.mk - what is handed over by name or number is text, for neither make nor the shell to run:
# make takes it as it stands, and commands find it in the environment. Include it before all else, as
# newer makes hand variables to $(shell) too.
TEXTS := LAB LABS SUBMISSION SUBMISSIONS ROSTER DUE JOBS SEED TILE TYPE SHAPE MAX TASK HINT
TEXTS := $(foreach name,$(TEXTS),$(if $(filter undefined,$(origin $(name))),,$(name)))
$(foreach name,$(TEXTS),$(eval override $(name) := $$(value $(name))))
export $(TEXTS)
