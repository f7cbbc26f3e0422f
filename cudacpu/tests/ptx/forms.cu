/* forms.cu - the forms of PTX as programs write them (CUTLASS, DeepGEMM, ThunderKittens and
 * others): all compile. What they compute: the other programs in this folder. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#define DEVICE static __device__ __forceinline__

/* waiting, as it is often written */
DEVICE void wait_labels(uint32_t bar, uint32_t parity) {
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(bar),
                 "r"(parity));
}
DEVICE void wait_named(uint32_t bar, uint32_t parity) {
    asm volatile("{\n\t"
                 ".reg .pred       P1;\n\t"
                 "WAIT_%=: \n\t" // a comment
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P1, [%0], %1, 0x989680;\n\t"
                 "@!P1 bra.uni WAIT_%=; /* again */ // and again\n\t"
                 "}"
                 :
                 : [bar] "r"(bar), [parity] "r"(parity)
                 : "memory");
}
DEVICE bool try_once(uint32_t bar, uint32_t parity, uint32_t want) {
    uint32_t done;
    asm volatile("{\n\t.reg .pred P1;\n\t.reg .pred P2;\n\tsetp.eq.u32 P2, %3, 1;\n\t"
                 "@P2 mbarrier.test_wait.parity.shared::cta.b64 P1, [%1], %2;\n\t"
                 "selp.b32 %0, 1, 0, P1;\n\t}"
                 : "=r"(done)
                 : "r"(bar), "r"(parity), "r"(want));
    return done != 0;
}
DEVICE uint32_t elect_one() {
    uint32_t pred = 0, lane = 0;
    asm volatile("{\n.reg .b32 %%rx;\n.reg .pred %%px;\n elect.sync %%rx|%%px, %2;\n@%%px mov.s32 "
                 "%1, 1;\n mov.s32 %0, %%rx;\n}\n"
                 : "+r"(lane), "+r"(pred)
                 : "r"(0xFFFFFFFF));
    return pred;
}
template <int D, int SA, int SB, int TA, int TB>
DEVICE void wg(float (&d)[2][4], uint64_t a, uint64_t b, int scale) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, "
                 "%6, %7}, %8, %9, p, %11, %12, %13, %14;\n}\n"
                 : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[1][0]),
                   "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3])
                 : "l"(a), "l"(b), "r"(scale), "n"(int32_t(SA)), "n"(int32_t(SB)), "n"(TA),
                   "n"(TB));
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, "
                 "%7}, %8, %9, %10, 1, -1, 0, 1;\n"
                 : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[1][0]),
                   "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3])
                 : "l"(a), "l"(b), "n"(D));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, "
                 "%7}, %8, 1, 1, 1, 0;\n"
                 : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3])
                 : "r"(1), "r"(2), "r"(3), "r"(4), "l"(b));
}
DEVICE void integers(int *d, uint64_t a, uint64_t b) {
    asm volatile(
        "{.reg .pred p; setp.eq.b32 p, 1, 1; "
        "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8.satfinite {%0, %1, %2, %3}, %4, %5, p;}"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "l"(a), "l"(b));
}
DEVICE void copies(uint32_t to, const void *from, uint32_t size, uint64_t *bar_p, uint32_t bar,
                   int ok, uint64_t policy) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(to), "l"(from),
                 "n"(16), "r"(size));
    asm volatile("{\n  .reg .pred p;\n  setp.ne.b32 p, %0, 0;\n  @p "
                 "cp.async.ca.shared::cta.global.L2::128B [%1], [%2], %3;\n}\n" ::"r"(ok),
                 "r"(to), "l"(from), "n"(8));
    asm volatile("{\n  .reg .pred p;\n  setp.ne.b32 p, %0, 0;\n  cp.async.ca.shared.global [%1 + "
                 "8], [%2+16], 4, !p;\n}\n" ::"r"(ok),
                 "r"(to), "l"(from));
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %3;  "
                 "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %2, %3;" ::"r"(to),
                 "l"(from), "r"(size), "l"(policy));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(3));
    asm volatile("cp.async.wait_all;");
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0]; "
                 "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar));
    asm volatile("cp.async.mbarrier.arrive.noinc.b64 [%0];" ::"l"(bar_p));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];\n" ::"r"(to),
                 "l"(from), "r"(size), "r"(bar)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::
            "r"(to),
        "l"(from), "r"(size), "r"(bar)
        : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                 "cluster.L2::cache_hint [%0], [%1], %2, [%3], %4, %5;\n" ::"r"(to),
                 "l"(from), "r"(size), "r"(bar), "h"((uint16_t)3), "l"(policy)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                 "[%1], %2, [%3];" ::"r"(to),
                 "r"(to), "r"(size), "r"(bar));
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group; "
        "cp.async.bulk.wait_group 0; cp.async.bulk.wait_group.read %3;" ::"l"(from),
        "r"(to), "r"(size), "n"(1));
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(size));
}
DEVICE uint64_t barriers(uint32_t bar, uint64_t *generic, uint32_t rank) {
    uint64_t state, g = 0;
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], %1; mbarrier.inval.shared.b64 [%0];" ::"r"(bar),
        "r"(rank));
    asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(generic), "r"(1));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(bar));
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], 2;"
                 : "=l"(state)
                 : "r"(bar));
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(bar), "r"(16));
    asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(bar));
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 remAddr32;\n\tsetp.eq.u32 p, %2, 1;\n\t@p "
                 "mapa.shared::cluster.u32  remAddr32, %0, %1;\n\t"
                 "@p mbarrier.arrive.shared::cluster.b64  _, [remAddr32];\n\t}" ::"r"(bar),
                 "r"(rank), "r"(1));
    asm volatile("mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64 [%0], %1; "
                 "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 4;" ::"r"(bar),
                 "r"(8));
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0]; mbarrier.arrive.noComplete.shared.b64 "
                 "%1, [%0], 1;"
                 : "+r"(bar), "+l"(g));
    uint32_t count, ok;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    asm volatile("{.reg .pred q; mbarrier.try_wait.shared::cta.b64 q, [%1], %2; "
                 "mbarrier.test_wait.acquire.cluster.shared::cta.b64 q, [%1], %2; selp.u32 %0, 1, "
                 "0, q; mbarrier.test_wait.b64 q, [%3], %2;}"
                 : "=r"(ok)
                 : "r"(bar), "l"(state), "l"(generic));
    asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned; "
                 "barrier.cluster.arrive; barrier.cluster.wait;");
    asm volatile(
        "fence.proxy.async; fence.proxy.async.shared::cta; fence.mbarrier_init.release.cluster; "
        "fence.acq_rel.cluster; fence.sc.gpu; membar.gl;");
    asm volatile("bar.sync 0; bar.sync %0, 128; barrier.sync %0, %1; barrier.sync.aligned 1; "
                 "bar.arrive 2, 64; bar.warp.sync 0xffffffff;" ::"r"(rank),
                 "r"(64));
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(232));
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;\n");
    return state + count + ok;
}
DEVICE void memory(uint32_t s, void *g, float f, uint4 v, double d) {
    float x, y;
    uint32_t a, b, c, e;
    uint64_t l;
    uint16_t h;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(e)
                 : "r"(s));
    asm volatile("ld.shared::cluster.u32 %0, [%1+4];" : "=r"(a) : "r"(s));
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "l"((uint64_t)s));
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(e)
                 : "l"(g));
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2 + -8];" : "=f"(x), "=f"(y) : "l"(g));
    asm volatile("ld.volatile.global.u64 %0, [%1]; ld.acquire.gpu.global.b64 %0, [%1]; "
                 "ld.global.u16 %2, [%1]; ld.u8 %3, [%1];"
                 : "=l"(l), "+l"(g), "=h"(h), "=r"(b));
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(s), "r"(v.x), "r"(v.y), "r"(v.z),
                 "r"(v.w));
    asm volatile(
        "st.shared::cluster.f32 [%0], %1; st.shared.v2.f32 [%0+16], {%1, %1}; st.shared.u8 [%0], "
        "%2; st.global.s16 [%3], %4; st.release.gpu.global.u32 [%3], 7; st.global.f64 [%3], %5;" ::
            "r"(s),
        "f"(f), "r"(a), "l"(g), "h"(h), "d"(d));
    asm volatile("st.global.L1::no_allocate.b32 [%0], %1;" ::"l"(g),
                 "r"(b + c + e + (uint32_t)l + (uint32_t)(x + y)));
}
enum small { ONE, TWO };
DEVICE unsigned change(int i, enum small kind, uint64_t wide) {
    unsigned r = 0;
    uint32_t lo, hi;
    float fl = 1;
    uint16_t sh;
    asm("mov.u32 %0, %tid.x; add.u32 %0, %0, 5;" : "+r"(r));
    asm("{ .reg .u32 a, b; .reg .b64 w; mov.u32 a, %%ctaid.y; mov.u32 b, %%laneid; sub.u32 %0, a, "
        "b; mov.b64 w, {a, b}; mov.b64 {a, b}, w; mad.lo.s32 %0, a, b, %1; }"
        : "=r"(r)
        : "r"(i));
    asm("{ .reg .b32 r<4>; mov.u32 r3, 0x10; shl.b32 r2, r3, 3; shr.s32 r1, r2, %1; xor.b32 r0, "
        "r1, r2; not.b32 r0, r0; and.b32 %0, r0, 0b11; or.b32 %0, %0, r0;}"
        : "=r"(r)
        : "r"(kind));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(wide));
    asm("prmt.b32 %0, %1, %2, 0x5410; min.s32 %0, %0, %1; max.u32 %0, %0, %2;"
        : "=r"(r)
        : "r"(lo), "r"(hi));
    asm("cvt.u32.u64 %0, %2; cvt.u64.u32 %1, %0; cvt.s32.s8 %0, %0; cvt.u16.u32 %3, %0; mul.lo.u64 "
        "%1, %1, %2;"
        : "=r"(r), "=l"(wide), "+l"(wide), "=h"(sh));
    asm("{.reg .pred p, q; setp.lt.s32 p, %1, 0; setp.ge.u32 q, %1, 4; and.pred p, p, q; not.pred "
        "q, p; or.pred p, p, !q; mov.pred q, 1; @!p mov.u32 %0, 4; @q bra L; mov.u32 %0, 5; L: }"
        : "+r"(r)
        : "r"(i));
    asm("{.reg .f32 a; mov.f32 a, 0f3F800000; add.rn.f32 a, a, 1.5; fma.rn.f32 %0, a, a, %0;}"
        : "+f"(fl));
    asm("mov.u32 %0, %cluster_ctarank; mov.u32 %0, %cluster_nctaid.y; mov.u32 %0, %clusterid.z; "
        "mov.u32 %0, %smid; mov.u32 %0, %lanemask_lt;"
        : "=r"(r));
    asm("mapa.u64 %0, %0, 1; getctarank.u64 %1, %0; cvta.to.shared.u64 %0, %0; cvta.shared.u64 %0, "
        "%0; cvta.to.global.u64 %0, %0;"
        : "+l"(wide), "=r"(r));
    return r + lo + hi + (unsigned)fl + sh;
}
DEVICE void matrices(uint32_t s, float *f, int *d) {
    uint32_t a[4], b[2];
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(s));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(s));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1 + 64];" : "=r"(b[0]) : "r"(s));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,  %1,  %2,  %3}, {%4,  %5,  %6,  %7}, {%8,  %9}, {%10, %11, %12, %13};\n"
                 : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(f[0]),
                   "f"(f[1]), "f"(f[2]), "f"(f[3]));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, "
                 "%5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory")
__global__ void k(int *p, float *f, uint64_t l) {
    __shared__ uint64_t bar[2];
    const uint32_t b = (uint32_t)__cvta_generic_to_shared(bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
    else
        ARRIVE(b);
    for (int i = 0; i < 2; i++) {
        wait_labels(b, i);
        asm volatile("{.reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], "
                     "%1; @P1 bra DONE; bra LAB_WAIT; DONE: }" ::"r"(b),
                     "r"(i));
    }
    wait_named(b, 0);
    auto lambda = [&](int n) {
        asm volatile(R"(st.shared.b32 [%0],
        %1;)" ::"r"(b),
                     "r"(n));
    };
    lambda(3);
    float d[2][4] = {};
    wg<1, 1, -1, 0, 1>(d, l, l, 1);
    integers(p, l, l);
    copies(b, f, 16, bar, b, 1, l);
    memory(b, f, 2, make_uint4(1, 2, 3, 4), 3);
    matrices(b, f, p);
    p[0] = change(3, ONE, l) + try_once(b, 0, 1) + elect_one() + (int)barriers(b, bar, 1) +
           (int)d[0][0];
    asm volatile("" ::: "memory");
}
int main() { printf("forms: compiled\n"); }
