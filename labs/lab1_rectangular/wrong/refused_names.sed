# expect 0: refused: student.cu:1: cudacpu_hook_seal: a name of the grader's
1i extern "C" const char *cudacpu_hook_seal(void); const char *mine = cudacpu_hook_seal();
