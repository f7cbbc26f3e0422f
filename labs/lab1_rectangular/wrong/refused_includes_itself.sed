# expect 0: refused: student.cu: it includes student.cu
# full
1i #ifndef AGAIN\
#define AGAIN\
#include "student.cu"\
#else\
extern "C" int mprotect(void *, unsigned long, int);\
#endif
