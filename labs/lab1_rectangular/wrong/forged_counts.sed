# expect 0: inspect.s report is not its own
# full
# with UNREFUSED=1
# Without tiles, and a report that says otherwise.
1i #include <unistd.h>\
static void forge() {\
    static const char r[] = "{\\"launches\\": 1, \\"kernel\\": \\"k\\", \\"global\\": {\\"load\\": {\\"words\\": 1}, \\"store\\": {\\"words\\": 1}}, \\"shared\\": {\\"load\\": {\\"words\\": 1}}, \\"faults\\": []}";\
    for (int fd = 3; fd < 64; fd++)\
        if (ftruncate(fd, 0) == 0 && pwrite(fd, r, sizeof r - 1, 0) > 0)\
            _exit(0);\
}
/device_c;$/i atexit(forge);
