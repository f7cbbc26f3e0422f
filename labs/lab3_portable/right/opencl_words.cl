/* expect 100: 9/9 the same integers by both: OpenCL */
/* file student.cl */
/* The words of OpenCL C that a file may have: a helper, a pointer into local memory, select, clamp, an attribute. */
#ifndef TS
#define TS 16
#endif
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable

inline int fetch(global const int *x, int row, int column, int rows, int columns) {
    int there = x[clamp(row, 0, rows - 1) * columns + min(column, columns - 1)];
    return select(0, there, row < rows && column < columns);
}

__attribute__((reqd_work_group_size(TS, TS, 1))) kernel void
matmult(global const int *restrict a, global const int *restrict b, global int *restrict c, const int m, const int p,
        const int n) {
    local int left[TS * TS], right[TS * TS];
    const uint x = get_local_id(0), y = get_local_id(1);
    const size_t row = mad24((int)get_group_id(1), (int)get_local_size(1), (int)y), column = get_global_id(0);
    __private long sum = 0;
    local const int *line = left + y * TS, *const below = right + x;
    for (int k = 0; k < p; k += TS) {
        left[y * TS + x] = fetch(a, row, k + x, m, p);
        right[y * TS + x] = fetch(b, k + y, column, p, n);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < TS; ++i)
            sum += (long)line[i] * below[i * TS];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row >= (size_t)m || column >= (size_t)n)
        return;
    c[row * n + column] = (int)sum;
}
