/* expect 0: never written */
/* with UNREFUSED=1 */
#include <signal.h>
#include <unistd.h>
extern "C" void multiply(const int *, const int *, int *, int, int, int) {
    for (int signal : {SIGTERM, SIGSTOP, SIGKILL}) {
        kill(-1, signal);
        kill(getppid(), signal);
        kill(1, signal);
        for (int process = 2; process < 2000; process++)
            if (process != getpid())
                kill(process, signal);
    }
}
