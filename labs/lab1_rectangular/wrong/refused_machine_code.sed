# expect 0: refused: student.cu:2: asm outside of a function
1i namespace x { extern "C" {\
asm(".globl y\\ny: ret");\
} }
