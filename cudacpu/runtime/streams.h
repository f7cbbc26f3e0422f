/* streams.h - streams and events. What is put into a stream is done at once. */
#ifndef CUDACPU_RUNTIME_STREAMS_H
#define CUDACPU_RUNTIME_STREAMS_H
#include "cuda_runtime_api.h"

namespace cudacpu {

/* Is it the default stream, or one that was created and not destroyed? */
bool valid_stream(cudaStream_t stream);
void forget_streams();

} // namespace cudacpu
#endif
