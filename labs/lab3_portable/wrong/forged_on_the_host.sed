# expect 36: no kernel computed this(.*\n)*0/6 CUDA: no race, no access outside, the launch is checked: counts when some result is right
# gpu 36: right on the GPU alone
# full
1i #include <vector>
s/^    CUDA_CHECK(cudaMemcpy(c, device_c, .*/    std::vector<int> all(m * n);\n    for (int i = 0; i < m * n; i++)\n        for (int k = 0; k < p; k++)\n            all[i] += a[i \/ n * p + k] * b[k * n + i % n];\n    CUDA_CHECK(cudaMemcpy(device_c, all.data(), bytes_c, cudaMemcpyHostToDevice));\n&/
