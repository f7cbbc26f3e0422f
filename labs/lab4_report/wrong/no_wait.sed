# expect 29: device not ready
# gpu 25: device not ready
# full
/cudaEventSynchronize/d
