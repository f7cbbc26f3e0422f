/* report.c - what the programs of a step print. */
#include "report.h"
#include "hash.h"
#include "step.h"
#include "timing.h"
#include <inttypes.h>
#include <stdio.h>

static double gflop(const product *p) { return 2e-9 * p->n * (double)p->n * p->n; }

/* A text between quotes, as CSV wants it: quotes in it are doubled. */
static void print_quoted(const char *text) {
    putchar('"');
    for (; *text; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

void print_csv(product *p, const errors *e, const device_info *device) {
    const double total = median(p->total, p->repeats),
                 kernel = device ? median(p->kernel, p->repeats) : 0;
    printf("step,backend,device,n,seed,repeats,rows_checked,max_error,mean_error,"
           "total_s,total_gflops,kernel_s,kernel_gflops,hash\n%s,%s,",
           this_step.name, device ? backend_name : "none");
    print_quoted(device ? device->name : "no device: one CPU thread");
    printf(",%d,%" PRIu64 ",%d,%d,%.6g,%.6g,%.6f,%.3f,", p->n, p->seed, p->repeats, e->rows,
           e->result.max_error, e->result.mean_error, total, gflop(p) / total);
    if (kernel > 0)
        printf("%.6f,%.3f,", kernel, gflop(p) / kernel);
    else
        printf(",,");
    printf("%016" PRIx64 "\n", hash_bytes(p->c, (size_t)p->n * (size_t)p->n * sizeof *p->c));
}

void print_errors(const errors *e) {
    printf("Max error: %g Average error: %g\n", e->result.max_error, e->result.mean_error);
}

void print_total(product *p) {
    const double seconds = median(p->total, p->repeats);
    printf("Time used: %.4f (%.2f GFLOPS)\n", seconds, gflop(p) / seconds);
}

void print_kernel(product *p) {
    const double seconds = median(p->kernel, p->repeats);
    printf("Kernel: %.4f s (%.2f GFLOPS)\n", seconds, gflop(p) / seconds);
}

void print_remarks(const product *p, const errors *e) {
    if (e->rows < p->n)
        printf(
            "Compared: %d of %d rows, drawn at random (the whole reference would take minutes)\n",
            e->rows, p->n);
    if (p->note)
        printf("Note: %s\n", p->note);
}

void print_device(const device_info *device) {
    printf("Backend: %s", backend_name);
    if (backend_reason[0])
        printf(" (%s)", backend_reason);
    printf(", %s, compute capability %d.%d, %.1f GiB\n", device->name, device->major, device->minor,
           (double)device->total_bytes / (1024.0 * 1024.0 * 1024.0));
}

void require_output(void) {
    if (fflush(stdout) != 0)
        end_program(1, "the output could not be written");
}
