/* expect 0: host code used more stack than it has, at student.cu:\d+: a recursion */
/* gpu 0: crashed \(SIGSEGV\) */
/* full */
/* with UNREFUSED=1 */
static int deep(volatile int *p) {
    volatile int frame[1000];
    frame[*p % 1000] = *p;
    return deep(p) + frame[*p % 1000];
}
extern "C" void multiply(const int *, const int *, int *c, int, int, int) { c[0] = deep(c); }
