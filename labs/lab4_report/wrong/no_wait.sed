# expect 29: device not ready
/cudaEventSynchronize/d
