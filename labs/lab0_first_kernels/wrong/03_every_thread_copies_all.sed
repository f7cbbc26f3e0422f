# expect 0: sectors loaded|was stopped: .* was still running, at task03_copy.cu:12
# file task03_copy.cu
# full
s/int i = thread; i < n; i += threads/int i = 0; i < n; i++/
