/* lab3 - the same tile kernel in OpenCL C. There are no templates here: TS is a macro, given when the kernel is built.
 *
 * C (m x n) = A (m x p) B (p x n), int, dense, row-major, any shape. A work-group has TS x TS work-items; dimension 0
 * goes along a row of C, dimension 1 down its columns, and both are rounded up to a multiple of TS. */
__kernel void matmult(__global const int *a, __global const int *b, __global int *c, int m, int p, int n) {
    /* TODO 3 */
    __local int tile_a[TS][TS], tile_b[TS][TS];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_global_id(1), column = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < p; k += TS) {
        tile_a[y][x] = row < m && k + x < p ? a[row * p + (k + x)] : 0;
        tile_b[y][x] = k + y < p && column < n ? b[(k + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* the tiles are complete */
        for (int i = 0; i < TS; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE); /* nobody needs them any more */
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    /* end of TODO 3 */
}
