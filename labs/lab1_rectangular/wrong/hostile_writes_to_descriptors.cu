/* expect 0: has written to a descriptor */
/* with UNREFUSED=1 */
#include <string.h>
#include <unistd.h>
extern "C" void multiply(const int *, const int *, int *, int, int, int) {
    const char *text =
        "dddddddd{\"faults\": [], \"global\": {\"load\": {\"words\": 0}}, \"shared\": {\"load\": {\"words\": 1}}}";
    for (int file = 0; file < 1024; file++) {
        if (ftruncate(file, 1) != 0 && write(file, text, strlen(text)) < 0)
            continue;
        if (file > 2)
            close(file);
    }
    _exit(0);
}
