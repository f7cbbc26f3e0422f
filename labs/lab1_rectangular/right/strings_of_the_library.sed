# expect 100: ^
# What strdup gives may lie where something was freed: its free is no second one.
1i #include <stdlib.h>\n#include <string.h>
/cudaFree(device_a)/i { char *p = (char *)malloc(24); free(p); char *q = strdup("as long as that and its fence is"); free(q); q = (char *)aligned_alloc(64, 256); free(q); }
