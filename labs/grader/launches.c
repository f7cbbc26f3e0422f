/* launches.c - in the program of a student's own main(): says on the descriptor that LAB_LAUNCHES
 * names that a kernel was launched. */
#include <stdlib.h>
#include <unistd.h>

static int report = -1;

__attribute__((constructor)) static void find_report(void) {
    const char *number = getenv("LAB_LAUNCHES");
    if (number)
        report = atoi(number);
    unsetenv("LAB_LAUNCHES");
}

int cudacpu_hook_launch(const char *kernel, size_t argument_bytes) {
    (void)kernel;
    (void)argument_bytes;
    if (report >= 0 && write(report, "launched", 1) == 1)
        report = -1;
    return 0;
}
