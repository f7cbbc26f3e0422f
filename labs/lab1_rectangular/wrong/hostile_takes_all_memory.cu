/* expect 0: more than 600 MB of memory */
/* with MEGABYTES=600 UNREFUSED=1 */
#include <stdlib.h>
#include <string.h>
extern "C" void multiply(const int *, const int *, int *, int, int, int) {
    for (;;)
        if (char *block = (char *)malloc(1 << 24))
            memset(block, 1, 1 << 24);
}
