# expect 100: for a reader: student.cu:\d+: memory outside of the heap \(memfd_create\)
# gpu 0: crashed \(SIGXFSZ\)
# full
# with UNREFUSED=1
/device_c;$/i { int held = memfd_create("held", 0); if (held >= 0) { static char block[1 << 20]; memset(block, 1, sizeof block); for (int i = 0; i < 3000; i++) if (write(held, block, sizeof block) < 0) break; } }
1i #include <string.h>\
#include <sys/mman.h>\
#include <unistd.h>
