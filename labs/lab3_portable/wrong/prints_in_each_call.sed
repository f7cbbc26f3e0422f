# expect 94: a launch was made to fail
# full
s/^    CUDA_CHECK(cudaGetLastError());/    static int calls;\n    fprintf(stderr, "launched %d\\n", ++calls);\n    printf("tile %d\\n", tile);/
