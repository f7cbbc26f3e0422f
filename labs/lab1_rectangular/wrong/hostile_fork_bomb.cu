/* expect 0: was stopped|never written */
/* with SECONDS=2 UNREFUSED=1 */
#include <stdlib.h>
#include <unistd.h>
extern "C" void multiply(const int *, const int *, int *, int, int, int) {
    for (;;)
        if (fork() >= 0 && malloc(1000))
            fork();
}
