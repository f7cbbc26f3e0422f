/* casefile.h - the file in which a case travels from the judge to the student's process and back */
#ifndef CASEFILE_H
#define CASEFILE_H
#include <stdint.h>

typedef struct case_matrix {
    int32_t rows, columns, stride;
    int32_t unused;
    uint64_t offset; /* bytes from the start of the file */
} case_matrix;

/* The file begins with it. Between the header and the matrices, and behind the last, lie guards of
 * GUARD bytes. */
typedef struct case_header {
    uint64_t bytes; /* of the whole file */
    int32_t type;   /* lab_type */
    int32_t parameter;
    char variant[32];
    case_matrix a, b, c;
} case_header;

enum { GUARD = 4096 };
#endif
