# expect 0: was stopped: not done after 1 s; host code was still running, at student.cu:\d+
# gpu 0: was stopped: not done after \d+ s
# full
# with SECONDS=1
/cudaMemcpy(device_a/i volatile int turns = 1; while (turns) turns++;
