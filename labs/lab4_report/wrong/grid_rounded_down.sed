# expect 49: only in the incomplete tiles at the edge
# full
s/dim3 grid((k + block - 1) \/ block, (m + block - 1) \/ block)/dim3 grid(k \/ block, m \/ block)/
