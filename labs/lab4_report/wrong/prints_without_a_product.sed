# expect 96: sizes: three in the range: .*it launches no kernel
/^int main/c\
int main(int argc, char **argv) {\
    int s[3], status = read_sizes(argc, argv, s);\
    if (status == 0)\
        printf("A (%d x %d)\\nB (%d x %d)\\nC (%d x %d)\\ntiled 0.1 ms right\\n", s[0], s[1], s[1], s[2], s[0], s[2]);\
    return status;\
}
