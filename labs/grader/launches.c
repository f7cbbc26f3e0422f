/* launches.c - in the program of a student's own main(): says on the descriptor that LAB_LAUNCHES
 * names that a kernel was launched, by 'k', and that the lab's part of the program ran, by 'p'. */
#include <stdlib.h>
#include <unistd.h>

static int report = -1, launched;
void lab_program_ran(void);

__attribute__((constructor)) static void find_report(void) {
    const char *number = getenv("LAB_LAUNCHES");
    if (number)
        report = atoi(number);
    unsetenv("LAB_LAUNCHES");
}

int cudacpu_hook_launch(const char *kernel, size_t argument_bytes) {
    (void)kernel;
    (void)argument_bytes;
    if (report >= 0 && !launched)
        launched = write(report, "k", 1) == 1;
    return 0;
}

void lab_program_ran(void) {
    if (report >= 0 && write(report, "p", 1) != 1)
        report = -1;
}
