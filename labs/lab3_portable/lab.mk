# lab.mk - `make lab3-counts`: what the CUDA kernel does to memory, for each tile. SHAPE="M P N"
LAB3_COUNTS := $(BUILD)/labs/lab3_counts
.PHONY: lab3-counts
lab3-counts:
	@set -f; set -- $${SHAPE:-128 128 128}; count=$$#; \
	for size; do case $$size in [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | 1000) ;; *) count=0 ;; esac; done; \
	[ $$count -eq 3 ] || { printf 'SHAPE=%s: it is M P N, each from 1 to 1000\n' "$$SHAPE" >&2; exit 2; }
	@mkdir -p $(BUILD)/labs
	@$(call submission_or,labs/lab3_portable/student.cu) \
	cudacpu/cpucc --inspect -Icommon labs/lab3_portable/counts.cu "$$source" -o $(LAB3_COUNTS)
	@for tile in 8 16 32; do echo "== $${SHAPE:-128 128 128}, tile $$tile"; $(LAB3_COUNTS) $${SHAPE:-128 128 128} $$tile; done
