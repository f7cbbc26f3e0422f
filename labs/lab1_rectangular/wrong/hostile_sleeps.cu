/* expect 0: was stopped: not done after 2 s */
/* gpu 0: was stopped: not done after \d+ s */
/* full */
/* with SECONDS=2 UNREFUSED=1 */
#include <signal.h>
#include <unistd.h>
extern "C" void multiply(const int *, const int *, int *, int, int, int) {
    for (int signal = 1; signal < 65; signal++)
        if (signal != SIGKILL && signal != SIGSTOP)
            ::signal(signal, SIG_IGN);
    close(0), close(1), close(2);
    for (;;)
        sleep(1000);
}
