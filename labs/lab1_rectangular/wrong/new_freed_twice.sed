# expect 0: double free: memory was given to delete that was freed before, at student.cu:\d+
# full
/cudaFree(device_a)/i { char *volatile p = new char[100]; delete[] p; delete[] p; }
