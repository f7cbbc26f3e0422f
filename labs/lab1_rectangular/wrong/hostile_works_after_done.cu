/* expect 0: never written */
/* with UNREFUSED=1 */
/* Says that it is done, and computes in another thread. */
#include <thread>
#include <unistd.h>
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    std::thread([=] {
        usleep(100000);
        for (int i = 0; i < m * n; i++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i / n * k + l] * b[l * n + i % n];
            c[i] = sum;
        }
    }).detach();
}
