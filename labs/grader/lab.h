/* lab.h - one case of a test, as a lab's call.cu gets it: C (m x n) = A (m x k) B (k x n). */
#ifndef LAB_H
#define LAB_H
#ifdef __cplusplus
extern "C" {
#endif

typedef enum lab_type { LAB_INT, LAB_FLOAT, LAB_DOUBLE } lab_type;

typedef struct lab_matrix {
    int rows, columns;
    int stride; /* elements from one row to the next */
    lab_type type;
    void *elements; /* row-major */
} lab_matrix;

typedef struct lab_case {
    lab_matrix a, b, c;
    const char *variant; /* which of the student's functions, as tests.py names it */
    int parameter;       /* a number for it, a block size for example, or 0 */
} lab_case;

/* In a lab's call.cu: calls the student's function once. Returns 0, or 1 after one sentence on
 * stderr. */
int lab_call(const lab_case *c);

/* For a lab's call.cu: from now on each call of these kinds takes so much longer, and others do
 * not, where cudacpu runs it. */
enum { LAB_COPIES = 1, LAB_FILLINGS = 2, LAB_ALLOCATIONS = 4, LAB_LAUNCHES = 8 };
void delay_calls(unsigned kinds, unsigned milliseconds);
/* From now on cudaEventElapsedTime gives so many times what it would, there. */
void stretch_events(float times);
/* Bytes that were given to free() and that the C library has not had back yet. */
unsigned long bytes_kept_of_freed(void);

#ifdef __cplusplus
}
#endif
#endif
