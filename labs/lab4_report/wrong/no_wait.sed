# expect 29: device not ready
# full
/cudaEventSynchronize/d
