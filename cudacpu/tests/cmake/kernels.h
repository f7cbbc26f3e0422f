/* kernels.h - launches the kernel of kernels.cu with n threads on device memory. */
void fill_on_device(int *p, int n);
