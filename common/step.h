/* step.h - what a step keeps and needs, said once: in its folder's step.conf, from which make
 * writes step_facts. */
#ifndef STEP_H
#define STEP_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct step_hash {
    int n;
    unsigned long long hash; /* of C's bytes, as `run --csv` prints it */
} step_hash;

typedef struct step_bound {
    int n; /* from this n on */
    double error;
} step_bound;

/* How elements are computed again: not, in double, or by the next products of slices and where
 * these are not enough in double. */
typedef enum way_again { NO_BOUND, DOUBLE_ALONE, NEXT_PRODUCTS } way_again;

typedef struct step_facts {
    const char *name;      /* of the folder */
    double tolerance;      /* largest relative error on uniform operands; on others of (|A| |B|) */
    int tolerance_to;      /* the largest n for which it is kept; INT_MAX: every n */
    double mean;           /* largest mean relative error on uniform operands; 0: none is given */
    int mean_to;           /* the largest n for which that is kept */
    double reaches;        /* largest error on uniform operands up to n = 1000; 0: the tolerance */
    step_bound uniform[3]; /* largest relative error on uniform operands, where it is less than the
                              tolerance, by ascending n; n 0 ends them */
    double largest;        /* on other operands: largest error, as a part of n times the largest
                              element of A's row times that of B's column; 0: of (|A| |B|) */
    int plain_sum;         /* measure = plain-sum: hostile inputs may exceed the tolerance */
    int keeps_infinities;  /* where the reference is infinite or NaN, so is the result; else it is
                              any of these */
    int exact_terms;       /* sums of one term other than zero are exact */
    int length;            /* products in a partial sum, which a blocked sum adds with
                              compensation; 0: it sums in another way */
    int first_length;      /* the same, in the first partial sum */
    way_again rejected;    /* what an element gets that the step's bound rejects */
    int tile;  /* largest side of a block's tile of C, in elements: sizes around it are tested */
    int small; /* up to this n another kernel does all; 0: one kernel for every n */
    const char *same_bits;  /* group of steps whose results are equal bit for bit, or NULL */
    const char *target;     /* the lowest of nvcc that it compiles for, "sm_80"; "sm_90a": the only
                               one; NULL: any */
    int several_devices;    /* it uses all that there are */
    int shared_bytes_per_n; /* dynamic shared memory of a block is this times n; 0: it does not grow
                               with n */
    step_hash hashes[5];    /* of the product that `run` makes; n 0 ends them */
    const char
        *loads; /* words of global memory that the article's formula loads, as text, or NULL */
    double loads_n3, loads_n2; /* the same: loads_n3 n^3 + loads_n2 n^2 */
    double article_total;      /* seconds in the article, at n = 1000; 0: not given */
    double article_kernel;
} step_facts;

/* The step that this program was made of. */
extern const step_facts this_step;

/* The largest relative error that a step may have on uniform operands of this n; infinite where
 * nothing is kept. */
double step_limit(const step_facts *step, int n);

#ifdef __cplusplus
}
#endif
#endif
