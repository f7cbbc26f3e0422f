# expect 96: sizes: three in the range: .*main\(\) prints this itself
/^int main/c\
__global__ void nothing() {}\
int main(int argc, char **argv) {\
    int s[3], status = read_sizes(argc, argv, s);\
    if (status == 0) {\
        nothing<<<1, 1>>>();\
        CUDA_CHECK(cudaDeviceSynchronize());\
        printf("A (%d x %d)\\nB (%d x %d)\\nC (%d x %d)\\ntiled 0.1 ms right\\n", s[0], s[1], s[1], s[2], s[0], s[2]);\
    }\
    return status;\
}
