# expect 0: refused: student.cu:2: mprotect: opens closed memory
# full
1i #define J(a, b) a##b\
extern "C" int J(mpro, tect)(void *, unsigned long, int);
