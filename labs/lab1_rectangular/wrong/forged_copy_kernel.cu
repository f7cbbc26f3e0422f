/* expect 0: no kernel computed this */
/* Host loops, and a kernel that copies their result, through the device and back. It fetches the
 * inputs from the device to compute with them. */
#include <vector>
static __global__ void copy(const int *from, int *to, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}
static void through(const int *from, int *to, int count) {
    int *x, *y;
    cudaMalloc(&x, count * sizeof(int));
    cudaMalloc(&y, count * sizeof(int));
    cudaMemcpy(x, from, count * sizeof(int), cudaMemcpyHostToDevice);
    copy<<<(count + 255) / 256, 256>>>(x, y, count);
    cudaMemcpy(to, y, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
}
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    std::vector<int> x(m * k), y(k * n), z(m * n);
    through(a, x.data(), m * k);
    through(b, y.data(), k * n);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += x[i * k + l] * y[l * n + j];
            z[i * n + j] = sum;
        }
    through(z.data(), c, m * n);
}
