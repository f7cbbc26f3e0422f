/* cluster_dims.h - __cluster_dims__: a kernel knows its clusters, a launch asks it. */
#ifndef CUDACPU_CLUSTER_DIMS_H
#define CUDACPU_CLUSTER_DIMS_H
#include "cudacpu/launch.h"
#include "cudacpu/site.h"

namespace cudacpu {

/* The clusters of the kernel at this address, for launches that do not name it. Always true. */
bool know_cluster(const void *kernel, dim3 cluster);
/* Their x is 0 where it has none, or none that is known. */
dim3 known_cluster(const void *kernel);
/* The body of such a kernel names `known`: it is made before main() is called. */
template <auto KERNEL, unsigned X, unsigned Y = 1, unsigned Z = 1> struct clustered {
    static inline const bool known = know_cluster((const void *)KERNEL, dim3(X, Y, Z));
};

/* The first statement of a kernel with __cluster_dims__, or with the name of one (x is 0): true
 * when it is only asked for them. Ends a launch that has not asked, by a pointer to a
 * kernel that is not known, since functions of its name have default arguments. */
bool tells_cluster(const site *where, unsigned x, unsigned y = 1, unsigned z = 1);
/* Asks: calls the kernel for that. x is 0 where it has none. */
dim3 ask_cluster(void (*kernel)(const void *), const void *arguments);

/* What cpucc makes of a launch of such a kernel. The dimensions may depend on the arguments of a
 * template, so that only the very kernel that is launched can tell them. */
struct cluster_launcher {
    launcher configured;

    explicit cluster_launcher(const launcher &l) : configured(l) {}

    template <class G, class F, class... A> void operator()(G get, F call, A... arguments) const {
        const auto kernel = [&call, arguments...] { call(arguments...); };
        const dim3 cluster = ask_cluster(launcher::run<decltype(kernel)>, &kernel);
        (cluster.x ? configured.cluster(cluster) : configured)(get, call, arguments...);
    }
};

} // namespace cudacpu
#endif
