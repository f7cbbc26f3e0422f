/* graphs.h - operations that are captured from streams, to be done later and again. */
#ifndef CUDACPU_RUNTIME_GRAPHS_H
#define CUDACPU_RUNTIME_GRAPHS_H
#include "stream_queue.h"

namespace cudacpu {

bool any_capture(); /* is any stream being captured? */
/* True when the stream is captured: its graph has the operation then. */
bool capture(CUstream_st *stream, stream_operation &o);
bool is_captured(const CUstream_st *stream);
/* An event was recorded in the stream; a stream waits for an event: it is captured too, if the
 * event was recorded in a capture. */
void note_captured_event(const void *event, const CUstream_st *stream);
void join_capture(CUstream_st *stream, const void *event);

} // namespace cudacpu
#endif
