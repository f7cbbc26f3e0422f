# texts.mk - what is handed over by name or number is text, for neither make nor the shell to run:
# make takes it as it stands, and commands find it in the environment. Include it before all else, as
# newer makes hand variables to $(shell) too.
TEXTS := LAB LABS SUBMISSION SUBMISSIONS ROSTER DUE JOBS SEED TILE TYPE SHAPE MAX TASK HINT
# Those on the command line of this make, and not of one that has called it.
TYPED := $(strip $(TYPED) $(if $(filter 0,$(MAKELEVEL)),$(foreach name,$(TEXTS),$(if $(filter \
    command,$(firstword $(origin $(name)))),$(name)))))
# $(call useless,TARGET,NAMES): a command that fails with a sentence where one of the names was typed.
useless = $(if $(filter $(2),$(TYPED)),echo "$(1) has no use for $(addsuffix =,$(filter $(2),$(TYPED)))" >&2,false)
TEXTS := $(foreach name,$(TEXTS),$(if $(filter undefined,$(origin $(name))),,$(name)))
$(foreach name,$(TEXTS),$(eval override $(name) := $$(value $(name))))
export $(TEXTS)
