# expect 0: heap overflow: host code wrote past the end of the 100 bytes that new\[\] gave it, at student.cu:\d+
# gpu 0: heap overflow: host code wrote past the end of the 100 bytes
1i #include <string.h>
/cudaFree(device_a)/i { volatile int past = 140; char *p = new char[100]; memset(p, 1, past); delete[] p; }
