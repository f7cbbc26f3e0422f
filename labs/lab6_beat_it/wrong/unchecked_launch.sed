# expect 0: never written.*; inspect: .*unchecked launch error: student.cu:\d+: the launch failed \(invalid argument\)
# gpu 0: is wrong: zero.*; inspect: .*unchecked launch error: student.cu:\d+: the launch failed \(invalid argument\)
# full
s/dim3(THREADS, THREADS)/dim3(THREADS, THREADS, 32)/
/cudaGetLastError/d
