/* expect 0: never written */
/* with UNREFUSED=1 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
extern "C" void multiply(const int *, const int *, int *, int, int, int) {
    static char block[1 << 20];
    const char *folders[] = {"", "/in", "/out", "/kit", "/usr", "/dev", "/dev/shm", "/tmp", "/var/tmp", "."};
    for (int i = 0; i < 300; i++)
        for (const char *folder : folders) {
            char name[100];
            snprintf(name, sizeof name, "%s/fill%d", folder, i);
            int file = creat(name, 0600);
            for (int n = 0; file >= 0 && n < 15 && write(file, block, sizeof block) > 0; n++)
                ;
            close(file);
        }
}
