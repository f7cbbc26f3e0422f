/* launched.cu - what may stand before <<<: nvcc takes each postfix expression that gives a kernel
 * or a pointer to one. A kernel writes its number behind those of the kernels before it.
 *
 * Covers: a launch by an expression: `table[which++]`, `names.at("two")`, `(late ? one : two)`,
 * `own.kernel`, `here->kernel`, `listed::get()`, `std::get<1>(pair)`, a lambda's result, a
 * structured binding, a pointer that changes before its launch is done. */
#include <map>
#include <stdio.h>
#include <string>
#include <tuple>
#include <vector>

typedef void (*pointer)(int *, int);

__global__ void one(int *p, int more) { *p = *p * 10 + 1 + more; }
__global__ void two(int *p, int more) {
    if (threadIdx.x == 0)
        *p = *p * 10 + 2 + more;
}
template <int N> __global__ void number(int *p, int more) { *p = *p * 10 + N + more; }

static int calls;
static pointer current = one;
namespace listed {
static pointer table[] = {one, two};
static pointer get() {
    calls++;
    return table[1];
}
} // namespace listed

struct owner {
    pointer kernel;
    pointer many[2];
    pointer get(int i) const { return many[i]; }
    template <int I> pointer pick() const { return many[I]; }
    void launch(int *p) {
        kernel<<<1, 1>>>(p, 0);
        this->many[0]<<<1, 1>>>(p, 0);
    }
};
struct maker {
    pointer operator()(int i) const { return listed::table[i]; }
};
template <class T> static void launch_last(int *p, const T &own) {
    own.template pick<1>()<<<1, 1>>>(p, 0);
}

static int *p, failures;
static void expect(const char *form, int value) {
    cudaDeviceSynchronize();
    if (*p != value)
        printf("%s: %d, expected %d\n", form, *p, value), failures++;
    *p = 0;
}
/* Each form launches two. */
#define TRY(...) (__VA_ARGS__<<<1, 1>>>(p, 0), expect(#__VA_ARGS__, 2))

int main(int argc, char **) {
    cudaMallocManaged(&p, sizeof *p);
    *p = 0;
    const bool late = argc > 0;
    int which = 1;
    pointer table[] = {one, two};
    const std::map<std::string, pointer> names = {{"one", one}, {"two", two}};
    std::map<int, pointer> numbers = {{1, one}, {2, two}};
    std::vector<pointer> list = {one, two};
    const std::tuple<pointer, pointer> pair(one, two);
    owner own = {two, {one, two}}, *here = &own;
    TRY(table[which]);
    TRY(table[which < 2 && which > 0]);
    TRY(numbers[2]);
    TRY(names.at("two"));
    TRY(names.find("two")->second);
    TRY(list[which]);
    TRY(list.back());
    TRY((late ? two : one));
    TRY((late ? number<2> : number<1>));
    TRY(own.kernel);
    TRY(here->kernel);
    TRY((*here).many[1]);
    TRY(here->get(1));
    TRY(listed::table[1]);
    TRY(std::get<1>(pair));
    TRY(maker()(1));
    TRY(maker{}(1));
    TRY(owner{two, {one, two}}.kernel);
    TRY((*table[1]));
    TRY((two));
    TRY(number<2>);
    TRY(reinterpret_cast<pointer>(reinterpret_cast<size_t>(table[1])));
    TRY([&] { return table[1]; }());
    TRY([](int i) -> pointer { return listed::table[i]; }(1));
    listed::get()<<<1, 32>>>(p, 0);
    cudaDeviceSynchronize();
    *p = 0;
    if (calls != 1)
        printf("listed::get() is called %d times\n", calls), failures++;

    which = 0;
    table[which++]<<<1, 1>>>(p, 0);
    expect("table[which++]", which == 1 ? 1 : -1);
    own.launch(p);
    launch_last(p, own);
    expect("members", 212);
    current<<<1, 1>>>(p, 0);
    (*current)<<<1, 1>>>(p, 0);
    current = two;
    current<<<1, 1>>>(p, 0);
    expect("a pointer that changes", 112);
    for (const auto &[key, value] : numbers)
        value<<<1, 1>>>(p, 2 * key);
    expect("structured bindings", 36);
    for (int i = 0; i < 2; i++)
        (i ? one : two)<<<1, 1>>>(p, 0);
    if (!late)
        one<<<1, 1>>>(p, 0);
    else
        (late ? two : one)<<<1, 1>>>(p, 0);
    late ? one<<<1, 1>>>(p, 0) : two<<<1, 1>>>(p, 0);
    {
        int i = which;
        (void)i;
    }
    (one)<<<1, 1>>>(p, 0);
    (void)(*table[1])<<<1, 1>>>(p, 0);
    expect("statements", 212112);
    cudaFree(p);
    puts(failures ? "failed" : "ok");
    return failures != 0;
}
