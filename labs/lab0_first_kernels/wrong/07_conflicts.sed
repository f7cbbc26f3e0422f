# expect 0: \d+ bank conflicts, 0 needed
# file task07_reduction.cu
# full
s/int half = BLOCK \/ 2; half > 0; half \/= 2/int step = 1; step < BLOCK; step *= 2/
s/if (thread < half)/if (2 * step * thread + step < BLOCK)/
s/part\[thread\] += part\[thread + half\]/part[2 * step * thread] += part[2 * step * thread + step]/
