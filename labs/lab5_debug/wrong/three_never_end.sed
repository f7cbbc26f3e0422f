# expect 62: 0/7 product 1: .*was stopped(.*\n)*0/8 product 2: .*was stopped(.*\n)*0/8 product 3: .*was stopped: .*at student.cu:\d+(.*\n)*7/7 product 4
# full
# with SECONDS=2
/^extern "C" cudaError_t product[123]/,/^}/ s/^    return/    for (volatile int i = 0;; i = 0)\n        ;\n&/
