# expect 0: one tile: 32 x 32 x 32(, observed)?: memory of 400000 bytes was used after it was freed, at student.cu:\d+; malloc was called at student.cu:\d+, free at student.cu:\d+
# full
1i #include <stdlib.h>\
#include <string.h>
/cudaMemcpy(c, device_c/i\    char *rows = (char *)malloc(400000);\n    memset(rows, 0, 400000);\n    free(rows);\n    if (rows[200000])\n        return;
