/* trace.cpp - writes the trace. */
#include "trace.h"
#include "observed_launch.h"
#include "places.h"
#include "runtime/host/process.h"

namespace cudacpu::inspect {

FILE *trace_file;

void open_trace() {
    const char *path = getenv("CUDACPU_INSPECT_TRACE");
    if (!path)
        return;
    trace_file = fopen(path, "w");
    if (!trace_file) {
        fprintf(stderr, "inspect: CUDACPU_INSPECT_TRACE=%s: the file cannot be written\n", path);
        end_process(2);
    }
    fprintf(trace_file, "kernel,warp,barriers,line,request,lane,memory,kind,offset,pitch\n");
}

void trace_request(const observed_worker *w, const instruction *s, uint32_t k,
                   const uintptr_t *address, const unsigned char *lane, unsigned lanes) {
    const area *a = s->logged == GLOBAL ? find_area(address[0]) : nullptr;
    const char *memory = a ? a->name.c_str() : s->logged == SHARED ? "shared" : "symbol";
    const char *kind = s->atomic ? "atomic" : s->write ? "store" : "load";
    const size_t pitch = a && a->pitch < a->bytes ? a->pitch : 0;
    /* Dynamic shared memory follows the static, as on a GPU; its banks stay. */
    const bool fixed = s->logged == SHARED && is_static(s);
    const size_t before =
        s->logged == SHARED && !fixed ? (s->owner->tls_bytes + 127) / 128 * 128 : 0;
    for (unsigned i = 0; i < lanes; i++)
        fprintf(trace_file, "\"%s\",%u,%u,%d,%u,%u,%s,%s,%zu,%zu\n", kernel_name(), w->warp,
                w->phase, place_of(s->return_address).line, k, lane[i], memory, kind,
                before + (size_t)(address[i] - (a       ? a->base
                                                : fixed ? s->owner->tls
                                                        : s->base)),
                pitch);
}

} // namespace cudacpu::inspect
