/* refused_ptx.c - asm statements with PTX that cpucc must refuse with a sentence. */
#include "refused.h"

/* In line 2. */
#define ASM(statement)                                                                             \
    "__global__ void k(int *p, float f, double d, long long l, short s, char c, bool b) {\n"       \
    "int i = 0; asm volatile(" statement "); }"
#define SET_MANY "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}"

const refused_program PTX_PROGRAMS[] = {
    /* what is not provided */
    {"-E", ASM("\"wmma.load.a.sync;\""),
     ":2: error: cudacpu does not provide the PTX instruction 'wmma.load.a.sync'\n"},
    {"-E", ASM("\"tcgen05.wait::ld.aligned;\""),
     ":2: error: cudacpu does not provide the PTX instruction 'tcgen05.wait::ld.aligned'\n"},
    {"-E", ASM("\"{\\nbar.sync 0;\\n// sleep\\nret; }\""),
     ":2: error: cudacpu does not provide the PTX instruction 'ret'\n"},
    {"-E", ASM("\"bar.sync 0;\\n\"\n\"ret;\""),
     ":3: error: cudacpu does not provide the PTX instruction 'ret'\n"},
    {"-E",
     ASM("\"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%0, %0, %0}, [%1];\" : \"=r\"(i) : \"r\"(i)"),
     "'ldmatrix.sync.aligned.m8n8.x3.shared.b16': not with .x3\n"},
    {"-E", ASM("\"cp.async.bulk.tensor.2d.shared::cluster.global [%0], [%1];\" :: \"r\"(i)"),
     "asm has no operand %1: it has 1, from %0 on\n"},
    {"-E", ASM("\"cp.async.bulk.tensor.2d.shared::cluster.global [%0], [%0];\" :: \"r\"(i)"),
     "'cp.async.bulk.tensor.2d.shared::cluster.global': not with .tensor\n"},
    {"-E", ASM("\"mbarrier.init.shared.b32 [%0], 1;\" :: \"r\"(i)"),
     "'mbarrier.init.shared.b32': not with .b32\n"},
    {"-E", ASM("\"mbarrier.init.shared [%0], 1;\" :: \"r\"(i)"),
     "'mbarrier.init.shared': not with these modifiers together, or one is missing\n"},
    {"-E",
     ASM("\"mma.sync.aligned.m8n8k4.row.row.f64.f64.f64.f64 {%0, %0}, {%0}, {%0}, {%0, %0};\" : "
         "\"+d\"(d)"),
     "not with these modifiers together, or one is missing\n"},
    {"-E",
     ASM("\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %0}, {%1}, {%0}, {%0, %0};\" : "
         "\"+d\"(d) : \"f\"(f)"),
     "'mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64' takes 64 bits, and %1 has 32 bits\n"},
    {"-E", ASM("\"add.sat.f32 %0, %0, %0;\" : \"+f\"(f)"), "'add.sat.f32': not with .sat\n"},
    {"-E", ASM("\"mov.u32 %0, %gridid;\" : \"=r\"(i)"),
     "cudacpu does not provide the PTX register %gridid\n"},
    {"-E", ASM("\".shared .b32 x; st.shared.b32 [x], 1;\""),
     "cudacpu does not provide PTX's .shared in an asm statement: only .reg\n"},
    {"-E", ASM("\"st.shared.b32 [x], 1;\""),
     "'st.shared.b32': no register x is declared (cudacpu does not provide PTX variables in an "
     "address)\n"},
    {"-E", ASM("\"{.reg .b128 x;}\""), "cudacpu does not provide PTX registers of type .b128\n"},
    {"-E",
     ASM("\"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0}, %1, %1, 1, 1, 1, 0, 0;\" : "
         "\"+r\"(i) : \"l\"(l)"),
     "not with these modifiers together, or one is missing\n"},

    /* in a function that is used, by a kernel of its own */
    {"-c",
     "static __device__ void f() {\n asm(\"tcgen05.shift.cta_group::1.down;\"); }\n"
     "__global__ void k() { f(); }",
     "cudacpu does not provide the PTX instruction 'tcgen05.shift.cta_group::1.down'"},
    {"-c",
     "template <int N> __device__ void f(int i) {\n asm(\"mov.b32 %0, 5\" : \"=r\"(i)); }\n"
     "__global__ void k() { f<3>(4); }",
     "PTX wants ; after mov.b32"},
    {"-E", "__device__ void f() {\n asm(\"membar.gpu;\"); }",
     ":2: error: cudacpu does not provide the PTX instruction 'membar.gpu'"},

    /* what comes after an operand with line markers in it is still on its line */
    {"-c",
     "#define MOVE(x) asm(\"mov.b32 %0, %1;\" : \"=r\"(i) : \"r\"(x))\n__global__ void k(unsigned "
     "i) {\n"
     "MOVE(\nUINT32_MAX\n); i =\nundeclared; }",
     ".cu:6:"},
    {"-c",
     "__global__ void k(unsigned i) {\nasm(\"mov.b32 %0, %1;\" : \"=r\"(i) : "
     "\"r\"(\nUINT32_MAX\n)); i "
     "=\nundeclared; }",
     ".cu:5:"},

    /* operands of an instruction */
    {"-E", ASM("\"mbarrier.init.shared.b64 [%0];\" :: \"r\"(i)"),
     ":2: error: 'mbarrier.init.shared.b64' takes 2 operands, not 1\n"},
    {"-E", ASM("\"mbarrier.init.shared.b64 [%0], 1, 2;\" :: \"r\"(i)"),
     ":2: error: 'mbarrier.init.shared.b64' takes 2 operands, not 3\n"},
    {"-E", ASM("\"mbarrier.arrive.shared.b64 [%0];\" :: \"r\"(i)"),
     "'mbarrier.arrive.shared.b64' takes 2 to 3 operands, not 1\n"},
    {"-E", ASM("\"mbarrier.inval.shared.b64 %0;\" :: \"r\"(i)"),
     "'mbarrier.inval.shared.b64' takes an address, [%0], not %0\n"},
    {"-E", ASM("\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%0];\" : \"+r\"(i)"),
     "takes 2 registers in { } as operand 1, not {%0}\n"},
    {"-E", ASM("\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 %0, [%0];\" : \"+r\"(i)"),
     "takes 1 register in { } as operand 1, not %0\n"},
    {"-E", ASM("\"ld.global.v4.u32 {%0, %0}, [%1];\" : \"=r\"(i) : \"l\"(p)"),
     "'ld.global.v4.u32' takes 4 registers in { }, not {%0, %0}\n"},
    {"-E", ASM("\"ld.global.u32 %0, [%1];\" : \"=r\"(i) : \"r\"(i)"),
     "'ld.global.u32' takes an address of 64 bits, and %1 has 32 bits\n"},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"l\"(l)"),
     "'mov.b32' takes 32 bits, and %1 has 64 bits\n"},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=l\"(l) : \"r\"(i)"),
     "'mov.b32' writes 32 bits, and %0 has 64 bits\n"},
    {"-E", ASM("\"add.u32 %0, %0, %1;\" : \"+r\"(i) : \"f\"(f)"),
     "'add.u32' takes an integer, and %1 is a float\n"},
    {"-E", ASM("\"{.reg .u32 a; mov.u32 a, 1; fma.rn.f32 %0, a, %0, %0;}\" : \"+f\"(f)"),
     "'fma.rn.f32' takes a float, and a is an integer\n"},
    {"-E", ASM("\"cp.async.wait_group %0;\" :: \"r\"(i)"),
     "'cp.async.wait_group' takes a constant (a number, or \"n\"), not %0\n"},
    {"-E", ASM("\"selp.b32 %0, 1, 0, %0;\" : \"+r\"(i)"),
     "'selp.b32' takes a predicate, and %0 has 32 bits\n"},
    {"-E", ASM("\"{.reg .pred q; add.u32 %0, %0, q;}\" : \"+r\"(i)"),
     "'add.u32' takes 32 bits, and q is a predicate\n"},
    {"-E", ASM("\"{.reg .pred q; setp.ne.b32 q, %0, 0; @q bra NOWHERE;}\" :: \"r\"(i)"),
     "'bra': there is no label NOWHERE\n"},
    {"-E", ASM("\"{L: bar.sync 0;} {bra L;}\""), "'bra': there is no label L\n"},
    {"-E", ASM("\"{L: bar.sync 0; L: bra L;}\""), "PTX has the label L twice\n"},
    {"-E", ASM("\"mov.b32 %0, x;\" : \"=r\"(i)"), "'mov.b32': no register x is declared\n"},
    {"-E", ASM("\"{.reg .b32 x;} mov.b32 %0, x;\" : \"=r\"(i)"),
     "'mov.b32': no register x is declared\n"},
    {"-E", ASM("\"{.reg .b32 x, x;}\""), "PTX declares the register x twice\n"},
    {"-E", ASM("\"mov.b32 %1, 5;\" : \"=r\"(i) : \"r\"(i)"),
     "'mov.b32' writes to %1, an input of the asm statement\n"},
    {"-E", ASM("\"mov.b32 5, %0;\" :: \"r\"(i)"), "'mov.b32' takes a register, not 5\n"},
    {"-E", ASM("\"{bar.sync 0;\""), "PTX has a { without its }\n"},
    {"-E", ASM("\"bar.sync 0;}\""), "PTX has a } without its {\n"},
    {"-E", ASM("\"mov.b32 %0, 5\" : \"=r\"(i)"), "PTX wants ; after mov.b32\n"},
    {"-E", ASM("\"mov.b32 %0 5;\" : \"=r\"(i)"), "PTX wants ; after mov.b32, not 5\n"},
    {"-E", ASM("\"mov.b32 %0, ;\" : \"=r\"(i)"), "PTX wants an operand here, not ;\n"},
    {"-c", ASM("\"cp.async.cg.shared.global [%0], [%1], 8;\" :: \"r\"(i), \"l\"(p)"),
     "cp.async.cg copies 16 bytes"},
    {"-c", ASM("\"setmaxnreg.inc.sync.aligned.u32 %0;\" :: \"n\"(30)"),
     "setmaxnreg takes a multiple of 8 from 24 to 256"},
    {"-c", ASM("\"wgmma.wait_group.sync.aligned 8;\""), "wgmma.wait_group takes 0 to 7"},

    /* wgmma */
    {"-E", ASM("\"" SET_MANY ", %4, %4;\" :: \"r\"(i), \"r\"(i), \"r\"(i), \"r\"(i), \"l\"(l)"),
     " takes 4 operands, not 3\n"},
    {"-E", ASM("\"" SET_MANY ", %4, %4, 1;\" :: \"r\"(i), \"r\"(i), \"r\"(i), \"r\"(i), \"l\"(l)"),
     "the sums are operands of the asm statement with \"+r\", and %0 is not\n"},
    {"-E",
     ASM("\"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%0}, %1, %1, 1;\" : \"+r\"(i) : "
         "\"l\"(l)"),
     "wgmma's n is 8, 16, 24, 32 or a multiple of 16 up to 256, not 40\n"},
    {"-E",
     ASM("\"wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 {%0}, %1, %1, 1;\" : \"+r\"(i) : "
         "\"l\"(l)"),
     " takes 8 sums in { }, not 1\n"},
    {"-E",
     ASM("\"" SET_MANY ", %4, %4, 1; add.u32 %0, %0, 1;\" : \"+r\"(i), \"+r\"(i), \"+r\"(i), "
         "\"+r\"(i) : \"l\"(l)"),
     "'add.u32': no other instruction of an asm statement can use %0, a sum of its wgmma\n"},

    /* operands of the statement */
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i)"),
     ":2: error: asm has no operand %1: it has 1, from %0 on\n"},
    {"-E", ASM("\"mov.b32 %0, %[from];\" : \"=r\"(i) : [to] \"r\"(i)"),
     "asm has no operand %[from]\n"},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"x\"(i)"),
     "asm with PTX has no constraint \"x\""},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"rn\"(i)"),
     "asm with PTX has no constraint \"rn\""},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"0\"(i)"),
     "asm with PTX has no constraint \"0\""},
    {"-E", ASM("\"{.reg .b32 a; mov.u32 a, %%laneid;}\""),
     "asm without operands leaves %% as it is: PTX wants one %"},
    {"-E", ASM("\"mov.b32 %0, 1;\" : \"=r\"(i) :: \"memory\", \"cc\""),
     "asm with PTX has no clobber but \"memory\", not \"cc\""},
    {"-E", ASM("\"mov.b32 %0, 1;\" : \"=r\"(i) :: \"mem\" \"ori\""),
     "asm with PTX has no clobber but \"memory\", not \"mem\" \"ori\""},
    {"-E", ASM("\"mov.b32 %0, 1;\" : \"=\\nr\"(i)"),
     "asm with PTX has no constraint \"=\\nr\": r and"},
    {"-E", ASM("\"mov.b32 %0, 1;\" : \"=n\"(i)"), "asm with PTX has no constraint \"=n\""},
    {"-E", ASM("\"mov.b32 %0, 1;\" : \"r\"(i)"), "an output of asm begins with = or +"},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"+r\"(i)"), "an input of asm has no = or +"},
    {"-c", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"r\"(l)"),
     "asm operand %1 of 'mov.b32' has constraint"}, /* g++ and clang++ quote differently */
    {"-c", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"r\"(f)"), "it must be an integer of 32 bits"},
    {"-c", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"r\"(c)"), "it must be an integer of 32 bits"},
    {"-c", ASM("\"mov.b32 %0, 1;\" : \"=r\"(b)"), "it must be an integer of 32 bits"},
    {"-c", ASM("\"mov.b16 %0, 1;\" : \"=h\"(i)"), "it must be an integer of 16 bits"},
    {"-c", ASM("\"mov.b64 %0, %1;\" : \"=l\"(l) : \"l\"(i)"),
     "it must be an integer of 64 bits or a pointer"},
    {"-c", ASM("\"mov.b32 %0, 1;\" : \"=f\"(d)"), "it must be a float"},
    {"-c", ASM("\"mov.b64 %0, 1;\" : \"=d\"(f)"), "it must be a double"},
    {"-c", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"n\"(i)"), "constant"},
    {"-c", ASM("\"mov.b32 %0, 1;\" : \"=r\"(3)"), ".cu:2:"},
    {"-E", ASM("\"mov.b32 %0, %1;\" : \"=r\"(i) : \"r\"([] { asm(\"\"); return 1; }())"),
     "cudacpu takes no asm statement within the operand of another"},
};
const int ptx_program_count = sizeof PTX_PROGRAMS / sizeof *PTX_PROGRAMS;
