/* polling.cu - threads that poll memory until another one has written it: in a block, whose later
 * threads write; in other blocks, which may not have begun; locks, tickets, a queue.
 * Covers: loops that poll memory (`while`, `for`, `do` and `goto`): a flag of a later thread
 * (volatile, `cuda::atomic`) or of a later block, a barrier of the grid by atomics, locks by
 * `atomicCAS` and by tickets, a semaphore, sums that are passed on with their flag in one word,
 * blocks that wait for the entries of a queue, `ld.acquire`, helper functions that poll; inspect
 * finds no fault in it. */
#include <cstdio>
#include <cuda/atomic>
#include <utility>

enum { BLOCKS = 12, THREADS = 64, ITEMS = 300 };

/* A loop that only looks like one: it has no body. */
__device__ constexpr int bits(int n) {
    int count = 0;
    while (n >> ++count)
        ;
    return count;
}
static_assert(bits(1000) == 10, "a loop in a constant");

__global__ void within(int *out) {
    __shared__ volatile int ready;
    __shared__ int data;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> seen;
    if (threadIdx.x == 0) {
        ready = 0;
        seen.store(0);
    }
    __syncthreads();
    if (threadIdx.x == 63) {
        data = 42;
        __threadfence_block();
        ready = 1;
    }
    if (threadIdx.x == 0) {
        while (ready == 0)
            ;
        __threadfence_block();
        out[0] = data;
        seen.store(7, cuda::memory_order_release);
    }
    if (threadIdx.x == 40) {
        while (seen.load(cuda::memory_order_acquire) != 7) {
        }
        out[1] = 8;
    }
}

__device__ volatile int open_;
__global__ void last_opens(int *data, int *wrong) {
    if (threadIdx.x == THREADS - 1 && blockIdx.x == BLOCKS - 1) {
        *data = 5;
        __threadfence();
        open_ = 1;
        return;
    }
    int rounds = 0;
    while (!open_)
        rounds++;
    __threadfence();
    if (*data != 5)
        atomicAdd(wrong, 1);
}

/* The same, where a goto makes the loop: of a later block; of a later thread, in an inner block. */
__device__ volatile int flag;
__global__ void jumps(int *data, int *wrong) {
    if (threadIdx.x == THREADS - 1 && blockIdx.x == BLOCKS - 1) {
        *data = 6;
        __threadfence();
        flag = 1;
        return;
    }
again:
    if (flag == 0)
        goto again;
    __threadfence();
    if (*data != 6)
        atomicAdd(wrong, 1);
}
__global__ void jumps_within(int *out) {
    __shared__ volatile int ready;
    __shared__ int data;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 63) {
        data = 5;
        __threadfence_block();
        ready = 3;
    }
    if (threadIdx.x < 2) {
        int rounds = 0;
    look:
        rounds++;
        if (ready != 3) {
            if (rounds > 0)
                goto look;
        }
        __threadfence_block();
        out[threadIdx.x] = data;
    }
}

/* A label among the cases of a switch, and one that a goto before its block jumps to. */
__global__ void jumps_in_switch(int *out, int which) {
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 63) {
        __threadfence_block();
        ready = 1;
    }
    switch (which) {
    case 0:
        out[threadIdx.x] = 1;
    look:
        if (threadIdx.x == 0 && ready == 0)
            goto look;
        break;
    case 1:
        out[threadIdx.x] = 2;
    }
    if (which == 2)
        goto inside;
    {
    inside:
        if (which-- > 2)
            goto inside;
    }
}

__device__ unsigned arrived, generation;
__device__ void wait_for_grid() {
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned now = atomicAdd(&generation, 0u);
        __threadfence();
        if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            atomicAdd(&generation, 1u);
        } else {
            unsigned seen;
            do
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                             : "=r"(seen)
                             : "l"(&generation)
                             : "memory");
            while (seen == now);
        }
    }
    __syncthreads();
}
__global__ void relax(int *from, int *to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int step = 0; step < 4; step++) {
        to[i] = from[(i + 1) % n] + 1;
        int *const other = from;
        from = to;
        to = other;
        wait_for_grid();
    }
}

__device__ int locks[4], counts[4], tickets[2], served, permits = 2;
__global__ void locked() {
    const int which = threadIdx.x % 4;
    while (true) {
        if (atomicCAS(&locks[which], 0, 1) == 0) {
            __threadfence();
            counts[which]++;
            __threadfence();
            atomicExch(&locks[which], 0);
            break;
        }
    }
    if (threadIdx.x > 0)
        return;
    const int mine = atomicAdd(&tickets[0], 1);
    while (*(volatile int *)&tickets[1] != mine)
        ;
    __threadfence();
    served++;
    __threadfence();
    atomicAdd(&tickets[1], 1);
    for (int had = atomicAdd(&permits, 0);;) {
        if (had > 0 && atomicCAS(&permits, had, had - 1) == had)
            break;
        had = atomicAdd(&permits, 0);
    }
    atomicAdd(&permits, 1);
}

/* Each block needs the sum of those before it; a word holds the sum and a flag, so no fence. */
__global__ void look_back(volatile unsigned *states, int *out) {
    const unsigned READY = 1u << 31, b = blockIdx.x;
    if (threadIdx.x > 0)
        return;
    unsigned before = 0;
    if (b > 0) {
        do
            before = states[b - 1];
        while (!(before & READY));
    }
    states[b] = before + b + (b == 0 ? READY : 0);
    out[b] = (int)((before + b) & ~READY);
}

__device__ int head, tail = 1;
__global__ void visit(int *visited, volatile int *queue, int *is_there) {
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) {
            item = atomicAdd(&head, 1);
            while (item < ITEMS && atomicAdd(&is_there[item], 0) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        const int place = item;
        __syncthreads();
        if (place >= ITEMS)
            return;
        const int child = 2 * queue[place] + 1 + (int)threadIdx.x;
        if (threadIdx.x < 2 && child < ITEMS && atomicCAS(&visited[child], 0, 1) == 0) {
            const int end = atomicAdd(&tail, 1);
            queue[end] = child;
            __threadfence();
            atomicExch(&is_there[end], 1);
        }
    }
}

/* Loops in all forms that C++ has, none of which waits: word is 3, flag is 7. */
#define READ(x)                                                                                    \
    do {                                                                                           \
        (x) = atomicAdd(word, 0);                                                                  \
    } while (0)
__global__ void forms(int *word, volatile int *flag, int *out) {
    int n = 0, x;
    do
        READ(x);
    while (x != 3);
    do
        if (x > 1)
            n++;
        else
            n--;
    while (*flag == 0);
    while (*flag == 0)
        while (*flag == 0)
            ;
    for (;;)
        if (*flag)
            break;
        else
            n++;
    for (;;) {
        for (;;)
            if (*flag)
                break;
        if (atomicCAS(word, 3, 3) == 3)
            break;
        else
            continue;
    }
    if (n)
        do
            x = *flag;
        while (x == 0);
    else
        n = 5;
    while (int more = *flag - 6) {
        n += more;
        break;
    }
    *out = n;
}

/* Block 0 to 6 wait for the last one, through functions that tell by what they do that they poll.
 */
__device__ int passed;
__device__ int peek(int *p) { return *(volatile int *)p; }
__device__ bool is_open(int *p) { return peek(p) != 0; }
__device__ __noinline__ int plain(const int *p) { return *p; }
struct gate {
    int *p;
    __device__ bool is_shut() const { return atomicAdd(p, 0) == 0; }
};
template <int WAY> __global__ void waits(int *out) {
    int n = 0, seen = WAY == 7 ? peek(&passed) : 0;
    if (blockIdx.x + 1 == gridDim.x) {
        __threadfence();
        atomicExch(&passed, 1);
    } else if (WAY == 0) {
        while (peek(&passed) == 0)
            n++;
    } else if (WAY == 1) {
        for (int i = 0; !is_open(&passed); i++)
            n++;
    } else if (WAY == 2) {
        bool done = false;
        while (!done)
            done = is_open(&passed);
    } else if (WAY == 3) {
        const gate g = {&passed};
        while (g.is_shut())
            n++;
    } else if (WAY == 4) {
        for (int tries = 0;; tries++)
            if (is_open(&passed))
                break;
    } else if (WAY == 5) {
        while (plain(&passed) == 0)
            n++;
    } else if (WAY == 6) {
        do {
            seen = peek(&passed);
            n++;
        } while (seen == 0);
    } else {
        while (seen == 0)
            seen = peek(&passed);
    }
    out[blockIdx.x] = n >= 0;
}
template <int... WAY> static int wait_in_all_ways(int *out, std::integer_sequence<int, WAY...>) {
    const int zero = 0;
    int wrong = 0;
    ((cudaMemcpyToSymbol(passed, &zero, sizeof zero), waits<WAY><<<7, 1>>>(out),
      wrong += cudaDeviceSynchronize() != cudaSuccess),
     ...);
    return wrong;
}

static int sum(const int *device, int count) {
    static int words[BLOCKS * THREADS];
    int total = 0;
    cudaMemcpy(words, device, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        total += words[i];
    return total;
}
static int expect(const char *what, int got, int wanted) {
    if (got != wanted)
        printf("%s: %d, not %d\n", what, got, wanted);
    return got != wanted;
}

int main() {
    enum { N = BLOCKS * THREADS };
    int *a, *b, *c, wrong = 0;
    for (int **memory : {&a, &b, &c}) {
        cudaMalloc(memory, N * sizeof(int));
        cudaMemset(*memory, 0, N * sizeof(int));
    }
    within<<<1, THREADS>>>(a);
    wrong += expect("within", sum(a, 2), 50);
    last_opens<<<BLOCKS, THREADS>>>(a, b);
    wrong += expect("last_opens", sum(b, 1), 0);
    jumps<<<BLOCKS, THREADS>>>(a, b);
    wrong += expect("jumps", sum(b, 1), 0);
    jumps_within<<<1, THREADS>>>(a);
    wrong += expect("jumps_within", sum(a, 2), 10);
    jumps_in_switch<<<1, THREADS>>>(a, 0);
    wrong += expect("jumps_in_switch", sum(a, THREADS), THREADS);
    cudaMemset(a, 0, N * sizeof(int));
    relax<<<BLOCKS, THREADS>>>(a, b);
    wrong += expect("relax", sum(a, N), 4 * N);
    locked<<<BLOCKS, THREADS>>>();
    int counted[4], tickets_served = 0;
    cudaMemcpyFromSymbol(counted, counts, sizeof counted);
    cudaMemcpyFromSymbol(&tickets_served, served, sizeof served);
    for (int count : counted)
        wrong += expect("locked", count, N / 4);
    wrong += expect("served", tickets_served, BLOCKS);
    cudaMemset(a, 0, N * sizeof(int));
    look_back<<<BLOCKS, THREADS>>>((unsigned *)a, b);
    wrong += expect("look_back", sum(b, BLOCKS), (BLOCKS - 1) * BLOCKS * (BLOCKS + 1) / 6);
    cudaMemset(a, 0, N * sizeof(int));
    cudaMemset(b, 0, N * sizeof(int));
    cudaMemset(c, 0, N * sizeof(int));
    const int one = 1;
    cudaMemcpy(a, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaMemcpy(c, &one, sizeof one, cudaMemcpyHostToDevice);
    visit<<<4, 32>>>(a, b, c);
    wrong += expect("visit", sum(a, ITEMS), ITEMS);
    const int words[] = {3, 7};
    cudaMemcpy(a, words, sizeof words, cudaMemcpyHostToDevice);
    forms<<<1, 1>>>(a, a + 1, b);
    wrong += expect("forms", sum(b, 1), 2);
    wrong += expect("waits", wait_in_all_ways(a, std::make_integer_sequence<int, 8>()), 0);
    for (int *memory : {a, b, c})
        cudaFree(memory);
    if (!wrong)
        puts("ok");
    return wrong > 0;
}
