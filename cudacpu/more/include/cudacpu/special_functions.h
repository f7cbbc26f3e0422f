/* special_functions.h - mathematical functions that CUDA has and C's library has not: inverses of
 * the error function and of the normal distribution, norms, Bessel's I. */
#ifndef CUDACPU_SPECIAL_FUNCTIONS_H
#define CUDACPU_SPECIAL_FUNCTIONS_H
#include <cmath>
#include <math.h>

/* By Halley's steps from the asymptotic value; of y > 1 the other side's. */
static inline double erfcinv(double y) {
    if (!(y > 0 && y < 2))
        return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
    if (y > 1)
        return -erfcinv(2 - y);
    double x = 0.88622692545275801 * (1 - y); /* near 0; else the tail */
    if (y < 0.5) {
        const double l = log(y);
        x = sqrt(-l - 0.5 * log(-l * 3.14159265358979324));
    }
    for (int i = 0; i < 5; i++) {
        const double step = (erfc(x) - y) / (-1.12837916709551257 * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}
static inline double erfinv(double y) {
    if (fabs(y) >= 0.5)
        return copysign(erfcinv(1 - fabs(y)), y);
    double x = 0.88622692545275801 * y;
    for (int i = 0; i < 5; i++) {
        const double step = (erf(x) - y) / (1.12837916709551257 * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}
static inline double normcdfinv(double p) { return -1.41421356237309505 * erfcinv(2 * p); }
/* exp(a * a) * erfc(a), where that underflows too. */
static inline double erfcx(double a) {
    if (a < 25)
        return exp(a * a) * erfc(a);
    const double r = 1 / (a * a);
    return 0.56418958354775629 / a * (1 - r * (0.5 - r * (0.75 - r * 1.875)));
}
static inline double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
static inline double norm4d(double a, double b, double c, double d) {
    return hypot(hypot(a, b), hypot(c, d));
}
static inline double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
static inline double rnorm4d(double a, double b, double c, double d) {
    return 1 / norm4d(a, b, c, d);
}
static inline double norm(int count, const double *a) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = hypot(sum, a[i]);
    return sum;
}
static inline float normf(int count, const float *a) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = hypot(sum, (double)a[i]);
    return (float)sum;
}
static inline double rnorm(int count, const double *a) { return 1 / norm(count, a); }
static inline float rnormf(int count, const float *a) { return (float)(1.0 / normf(count, a)); }
/* The series: all of its terms have one sign. */
static inline double cyl_bessel_i0(double a) {
    double sum = 1, term = 1;
    for (int k = 1; term > sum * 1e-17 && k < 2000; k++)
        sum += term *= a * a / (4.0 * k * k);
    return sum;
}
static inline double cyl_bessel_i1(double a) {
    double term = a / 2, sum = term;
    for (int k = 1; fabs(term) > fabs(sum) * 1e-17 && k < 2000; k++)
        sum += term *= a * a / (4.0 * k * (k + 1));
    return sum;
}

static inline float erfcinvf(float y) { return (float)erfcinv((double)y); }
static inline float erfinvf(float y) { return (float)erfinv((double)y); }
static inline float normcdfinvf(float p) { return (float)normcdfinv((double)p); }
static inline float erfcxf(float a) { return (float)erfcx((double)a); }
static inline float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
static inline float norm4df(float a, float b, float c, float d) {
    return (float)norm4d(a, b, c, d);
}
static inline float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
static inline float rnorm4df(float a, float b, float c, float d) {
    return (float)rnorm4d(a, b, c, d);
}
static inline float cyl_bessel_i0f(float a) { return (float)cyl_bessel_i0((double)a); }
static inline float cyl_bessel_i1f(float a) { return (float)cyl_bessel_i1((double)a); }
#endif
