# lab.mk - `make lab3-counts`: what the CUDA kernel does to memory, for each tile. SHAPE="M P N"
.PHONY: lab3-counts
lab3-counts:
	@mkdir -p $(BUILD)/labs
	@cudacpu/cpucc --inspect -Icommon labs/lab3_portable/counts.cu "$${SUBMISSION:-labs/lab3_portable/student.cu}" -o $(BUILD)/labs/lab3_counts
	@for tile in 8 16 32; do echo "== $${SHAPE:-128 128 128}, tile $$tile"; $(BUILD)/labs/lab3_counts $${SHAPE:-128 128 128} $$tile; done
