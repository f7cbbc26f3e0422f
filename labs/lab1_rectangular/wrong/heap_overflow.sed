# expect 5: heap overflow: host code wrote past the end of the 100 bytes that malloc gave it, at student.cu:\d+
# gpu 0: heap overflow: host code wrote past the end of the 100 bytes
1i #include <stdlib.h>\
#include <string.h>
/cudaFree(device_a)/i { volatile int past = 140; char *p = (char *)malloc(100); memset(p, 1, past); free(p); }
