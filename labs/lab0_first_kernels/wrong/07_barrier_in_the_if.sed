# expect 0: divergent barrier: task07_reduction.cu:\d+
# file task07_reduction.cu
# full
s/if (thread < half)/if (thread < half) {/;s/__syncthreads(); \/\* the next.*/__syncthreads(); }/
