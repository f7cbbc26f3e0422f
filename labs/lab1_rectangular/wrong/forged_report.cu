/* expect 0: no kernel computed this */
/* full */
/* with UNREFUSED=1 */
/* No kernel, and a report of its own in inspect's place. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static const char report[] =
    "{\"launches\": 1, \"global\": {\"load\": {\"words\": 1000}, \"store\": {\"words\": 1000}}, "
    "\"shared\": {\"load\": {\"words\": 1000}}, \"faults\": []}\n";
static void forge() {
    for (int fd = 3; fd < 64; fd++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (FILE *file = fopen(path, "w")) {
            fwrite(report, 1, sizeof report - 1, file);
            fclose(file);
        }
        if (ftruncate(fd, 0) == 0)
            pwrite(fd, report, sizeof report - 1, 0);
    }
    _exit(0);
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    atexit(forge);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
