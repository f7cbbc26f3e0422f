# expect 0: one tile: does not compile: student.cu:\d+:\d+: .*No such file.*; of what is handed in student.cu alone is graded
# A header of the student's own, handed in beside the file.
1a\
#include "helper.h"
