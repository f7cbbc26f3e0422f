# Builds the steps, the suite, the benchmark and the book. `make help` lists what there is; mk/ has a file for each.
BUILD := build
MAKEFLAGS += --no-print-directory $(if $(V),,-s)
.PHONY: all steps help deps lint clean FORCE
all:

# Steps are folders with a number, an underscore and a matmult.cu (or matmult.c, for one without CUDA).
CUDA_STEPS := $(sort $(patsubst %/matmult.cu,%,$(wildcard [0-9][0-9]_*/matmult.cu)))
C_STEPS := $(sort $(filter-out $(CUDA_STEPS),$(patsubst %/matmult.c,%,$(wildcard [0-9][0-9]_*/matmult.c))))
STEPS := $(sort $(CUDA_STEPS) $(C_STEPS))
# The others are built and tried by their names alone.
LADDER := $(sort $(filter $(STEPS),$(shell mk/ladder.sh)))

# `make 06` and `make 6_tiled` mean no step; `make 06_tiled/`, as a shell completes it, does.
NO_STEP := $(firstword $(filter-out $(STEPS),$(foreach digit,0 1 2 3 4 5 6 7 8 9,\
    $(foreach goal,$(filter $(digit)%,$(MAKECMDGOALS)),$(if $(findstring /,$(goal)),,$(goal))))))
ifneq ($(NO_STEP),)
$(error make $(NO_STEP): there is no such step; $(or $(patsubst %,the nearest is %,$(firstword \
    $(filter $(NO_STEP)% %$(NO_STEP),$(STEPS)))),'make help' lists them))
endif
.PHONY: $(STEPS:%=%/)
$(STEPS:%=%/): %/: %

include mk/texts.mk
include mk/labs.mk
include mk/quiet.mk
include mk/backend.mk
include mk/flags.mk
include mk/steps.mk
include mk/suite.mk
include mk/bench.mk
include mk/book.mk
include mk/elsewhere.mk
-include $(shell find $(OUT) $(INSPECT) -name '*.d' 2>/dev/null)
.DELETE_ON_ERROR:
.SECONDARY:

# As many jobs as there are processors, unless -j says otherwise.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
# Of steps, so that make knows all that is to be made and makes each thing once, this make itself has the jobs (-j on the
# command line comes first; a make above has its own), and one that does not compile does not stop the others.
ifeq ($(filter-out all steps $(STEPS) $(STEPS:%=%/),$(MAKECMDGOALS)),)
MAKEFLAGS += -k $(if $(findstring -j,$(shell echo "$$MAKEFLAGS")),,-j$(shell nproc 2>/dev/null || echo 2))
endif

# Without a compiler one sentence, not a thousand.
.PHONY: need-compilers
need-compilers:
	@for compiler in $(firstword $(CC)) $(firstword $(CXX)); do command -v "$$compiler" >/dev/null || \
	{ echo "$$compiler: there is no such compiler here; 'make deps' installs gcc and g++" >&2; exit 1; }; done

READY = @echo "Ready for the $(CHOSEN_BACKEND) backend$(if $(BACKEND_REASON), ($(BACKEND_REASON))): $(1)"; \
    echo "./$(firstword $(CUDA_STEPS) $(C_STEPS))/run"
all: $(LADDER:%=%/run) $(patsubst %,%/inspect,$(filter $(CUDA_STEPS),$(LADDER)))
	$(call READY,$(LADDER))
steps: $(STEPS:%=%/run) $(CUDA_STEPS:%=%/inspect)
	$(call READY,$(STEPS))

# make 06_tiled: the step's programs, and what to type next.
.PHONY: $(STEPS)
$(CUDA_STEPS): %: %/inspect
$(STEPS): %: %/run
	@$(if $(WITHOUT),echo "$(WITHOUT)")
	@echo "$@ is ready for the $(CHOSEN_BACKEND) backend$(if $(BACKEND_REASON), ($(BACKEND_REASON))). Run it:"
	@echo "./$@/run"

deps:
	@sh mk/deps.sh $(if $(MPI),mpi)

lint:
	@.ci/lint.sh

clean:
	rm -rf $(BUILD) docs/_build docs/locale/*/*/*.mo
	rm -f $(STEPS:%=%/run) $(STEPS:%=%/inspect)

help:
	@cat mk/help.txt
	@echo "Steps: $(LADDER)"
