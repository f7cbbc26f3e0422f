/* cupti.h - not provided, said at compile time. */
#error "cudacpu does not provide CUPTI: use cpucc --inspect, or nvcc and a GPU"
