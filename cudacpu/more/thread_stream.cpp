/* thread_stream.cpp - the calls of memory and streams where stream 0 is that of the thread. */
#include "thread_calls.h"

using namespace cudacpu;

extern "C" {

OF_THREAD(cudaMemcpyAsync, 5)
OF_THREAD(cudaMemcpy2DAsync, 8)
OF_THREAD(cudaMemsetAsync, 4)
OF_THREAD(cudaMemset2DAsync, 6)
OF_THREAD(cudaMemcpyPeerAsync, 6)
OF_THREAD(cudaMallocAsync, 3)
OF_THREAD(cudaFreeAsync, 2)
OF_THREAD(cudaMallocFromPoolAsync, 4)
OF_THREAD(cudaStreamGetPriority, 2)
OF_THREAD(cudaStreamGetFlags, 2)
OF_THREAD(cudaStreamGetId, 2)
OF_THREAD(cudaStreamGetDevice, 2)
OF_THREAD(cudaStreamSetAttribute, 3)
OF_THREAD(cudaStreamGetAttribute, 3)
OF_THREAD(cudaStreamSynchronize, 1)
OF_THREAD(cudaStreamQuery, 1)
OF_THREAD(cudaStreamWaitEvent, 3)
OF_THREAD(cudaLaunchHostFunc, 3)
OF_THREAD(cudaStreamAddCallback, 4)
OF_THREAD(cudaEventRecord, 2)
OF_THREAD(cudaEventRecordWithFlags, 3)
WAIT_IN_THREAD(cudaMemcpy, 4)
WAIT_IN_THREAD(cudaMemcpy2D, 7)
WAIT_IN_THREAD(cudaMemset, 3)
WAIT_IN_THREAD(cudaMemset2D, 5)

} /* extern "C" */
