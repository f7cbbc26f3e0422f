/* features.c - the cases of the features_*.cu that need one device, one after the other. */
#include "conformance.h"
#include <stddef.h>

const conformance_case *find_feature(int i) {
    static const conformance_case *const lists[] = {
        arithmetic_features, warp_features,   memory_features,  launch_features,
        stream_features,     group_features,  texture_features, half_features,
        library_features,    random_features, graph_features,   instruction_features,
        newer_features,      size_features,   rare_features};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (const conformance_case *feature = lists[list]; feature->name; feature++)
            if (i-- == 0)
                return feature;
    return NULL;
}
