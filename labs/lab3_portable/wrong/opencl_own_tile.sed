# expect 91: the same integers by both: OpenCL: .*(wrong|never written|crashed)
# full
# file student.cl
1i #undef TS\
#define TS 16
