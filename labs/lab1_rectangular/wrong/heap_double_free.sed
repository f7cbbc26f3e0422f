# expect 0: double free: memory was given to free that was freed before, at student.cu:\d+
# full
1i #include <stdlib.h>
/cudaFree(device_a)/i { char *volatile p = (char *)malloc(100); free(p); free(p); }
