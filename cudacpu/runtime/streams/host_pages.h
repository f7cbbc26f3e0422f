/* host_pages.h - pinned memory that an operation in a stream is still to use: page protection
 * closes it to host code, which would read what is not there yet, or write what is still to be
 * read. */
#ifndef CUDACPU_RUNTIME_HOST_PAGES_H
#define CUDACPU_RUNTIME_HOST_PAGES_H
#include "operation.h"

namespace cudacpu {

/* Closes what the operation, which has just been issued, will use. Pages that hold other data too
 * stay open. */
void close_host_pages_for(const stream_operation &o);
/* While operations are done, all pages are open. */
void open_host_pages();
void close_host_pages();

/* Host code met a closed page: says so, and ends the program unless it is observed. False when the
 * address lies in no memory that is closed at times. pc: where the access is. */
bool host_met_closed_page(const void *address, bool write, void *pc);

} // namespace cudacpu
#endif
