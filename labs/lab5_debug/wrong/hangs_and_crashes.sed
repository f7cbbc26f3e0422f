# expect 62: 0/7 product 1: .*was stopped: not done after(.*\n)0/8 product 2: .*segmentation fault(.*\n)0/8 product 3: .*never written
# with SECONDS=2
# Product 1 never ends, product 2 dies, product 3 computes nothing and prints that all is well. The others keep their points.
/^extern "C" cudaError_t product1/,/^}/ s/^    return/    for (volatile int i = 0;; i = 0)\n        ;\n&/
/^extern "C" cudaError_t product2/,/^}/ s/^    return/    *(volatile int *)8 = 0;\n&/
/^extern "C" cudaError_t product3/,/^}/ s/^    kernel3.*/    fputs("ok 1 - product 3\\n{\\"faults\\": []}\\nproduct 3: 13 of 13 points\\n", stdout);/
