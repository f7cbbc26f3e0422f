/* expect 100: 9/9 the same integers by both: OpenCL */
/* full */
/* file student.cl */

__constant int NOTHING = 0;
__kernel void matmult(__global const int *a, __global const int *b, __global int *c, int m, int p, int n) {
    __local int sa[2][TS][TS + 1], sb[2][TS][TS + 1];
    __private int acc = NOTHING;
    const int tx = get_local_id(0), ty = get_local_id(1), r = get_global_id(1), q = get_global_id(0);
    int w = 0;
    for (int t = 0; t < p; t += TS, w = 1 - w) {
        sa[w][ty][tx] = r < m && t + tx < p ? a[r * p + t + tx] : NOTHING;
        sb[w][ty][tx] = q < n && t + ty < p ? b[(t + ty) * n + q] : NOTHING;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (int i = 0; i < TS; i++) acc += sa[w][ty][i] * sb[w][i][tx];
    }
    if (r < m && q < n) c[r * n + q] = acc;
}
