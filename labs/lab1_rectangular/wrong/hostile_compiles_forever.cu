/* expect 0: does not compile|the compiler was stopped */
/* with SECONDS=1 UNREFUSED=1 */
template <unsigned long n, unsigned long m> struct more {
    enum { value = more<n - 1, 2 * m>::value + more<n - 1, 2 * m + 1>::value };
};
template <unsigned long m> struct more<0, m> {
    enum { value = 1 };
};
char large[1ul << 40] = {1};
extern "C" void multiply(const int *, const int *, int *c, int, int, int) { c[0] = more<26, 0>::value; }
