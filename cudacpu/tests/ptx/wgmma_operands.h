/* wgmma_operands.h - the n / 2 sums of wgmma's 32 sizes: Ln, their numbers in the text, after seven
 * other operands; On, the operands of an array d. SUM(x) says what one is. */
#ifndef WGMMA_OPERANDS_H
#define WGMMA_OPERANDS_H
#define L8 "%7, %8, %9, %10"
#define L16 L8 ", %11, %12, %13, %14"
#define L24 L16 ", %15, %16, %17, %18"
#define L32 L24 ", %19, %20, %21, %22"
#define L40 L32 ", %23, %24, %25, %26"
#define L48 L40 ", %27, %28, %29, %30"
#define L56 L48 ", %31, %32, %33, %34"
#define L64 L56 ", %35, %36, %37, %38"
#define L72 L64 ", %39, %40, %41, %42"
#define L80 L72 ", %43, %44, %45, %46"
#define L88 L80 ", %47, %48, %49, %50"
#define L96 L88 ", %51, %52, %53, %54"
#define L104 L96 ", %55, %56, %57, %58"
#define L112 L104 ", %59, %60, %61, %62"
#define L120 L112 ", %63, %64, %65, %66"
#define L128 L120 ", %67, %68, %69, %70"
#define L136 L128 ", %71, %72, %73, %74"
#define L144 L136 ", %75, %76, %77, %78"
#define L152 L144 ", %79, %80, %81, %82"
#define L160 L152 ", %83, %84, %85, %86"
#define L168 L160 ", %87, %88, %89, %90"
#define L176 L168 ", %91, %92, %93, %94"
#define L184 L176 ", %95, %96, %97, %98"
#define L192 L184 ", %99, %100, %101, %102"
#define L200 L192 ", %103, %104, %105, %106"
#define L208 L200 ", %107, %108, %109, %110"
#define L216 L208 ", %111, %112, %113, %114"
#define L224 L216 ", %115, %116, %117, %118"
#define L232 L224 ", %119, %120, %121, %122"
#define L240 L232 ", %123, %124, %125, %126"
#define L248 L240 ", %127, %128, %129, %130"
#define L256 L248 ", %131, %132, %133, %134"

#define SUMS(i) SUM(d[i]), SUM(d[i + 1]), SUM(d[i + 2]), SUM(d[i + 3])
#define O8 SUMS(0)
#define O16 O8, SUMS(4)
#define O24 O16, SUMS(8)
#define O32 O24, SUMS(12)
#define O40 O32, SUMS(16)
#define O48 O40, SUMS(20)
#define O56 O48, SUMS(24)
#define O64 O56, SUMS(28)
#define O72 O64, SUMS(32)
#define O80 O72, SUMS(36)
#define O88 O80, SUMS(40)
#define O96 O88, SUMS(44)
#define O104 O96, SUMS(48)
#define O112 O104, SUMS(52)
#define O120 O112, SUMS(56)
#define O128 O120, SUMS(60)
#define O136 O128, SUMS(64)
#define O144 O136, SUMS(68)
#define O152 O144, SUMS(72)
#define O160 O152, SUMS(76)
#define O168 O160, SUMS(80)
#define O176 O168, SUMS(84)
#define O184 O176, SUMS(88)
#define O192 O184, SUMS(92)
#define O200 O192, SUMS(96)
#define O208 O200, SUMS(100)
#define O216 O208, SUMS(104)
#define O224 O216, SUMS(108)
#define O232 O224, SUMS(112)
#define O240 O232, SUMS(116)
#define O248 O240, SUMS(120)
#define O256 O248, SUMS(124)
#endif
