# expect 90: host code read address 0x8
# gpu 90: crashed \(SIGSEGV\)
# full
/multiply_serial/,/^}/s/ = sum;/ = *(double *)8;/
