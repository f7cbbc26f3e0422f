/* expect 0: does not compile: student.cu:4: */
/* with UNREFUSED=1 */
/* The solution's place in the repository, and the grader's: neither is there when a submission is compiled. */
#include "../labs/lab1_rectangular/solution/student.cu"
#include "solution/student.cu"
