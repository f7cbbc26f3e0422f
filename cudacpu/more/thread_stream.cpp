/* thread_stream.cpp - the calls of memory and streams where stream 0 is that of the thread. */
#include "runtime/api/calls.h"

using namespace cudacpu;

extern "C" {

OF_THREAD(cudaMemcpyAsync,
          (void *dst, const void *src, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
          (dst, src, bytes, kind, of_thread(stream)))
OF_THREAD(cudaMemcpy2DAsync,
          (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
           size_t height, cudaMemcpyKind kind, cudaStream_t stream),
          (dst, dst_pitch, src, src_pitch, width, height, kind, of_thread(stream)))
OF_THREAD(cudaMemsetAsync, (void *pointer, int value, size_t bytes, cudaStream_t stream),
          (pointer, value, bytes, of_thread(stream)))
OF_THREAD(cudaMemset2DAsync,
          (void *pointer, size_t pitch, int value, size_t width, size_t height,
           cudaStream_t stream),
          (pointer, pitch, value, width, height, of_thread(stream)))
OF_THREAD(cudaMemcpyPeerAsync,
          (void *dst, int dst_device, const void *src, int src_device, size_t bytes,
           cudaStream_t stream),
          (dst, dst_device, src, src_device, bytes, of_thread(stream)))
OF_THREAD(cudaMallocAsync, (void **pointer, size_t bytes, cudaStream_t stream),
          (pointer, bytes, of_thread(stream)))
OF_THREAD(cudaFreeAsync, (void *pointer, cudaStream_t stream), (pointer, of_thread(stream)))
OF_THREAD(cudaMallocFromPoolAsync,
          (void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
          (pointer, bytes, pool, of_thread(stream)))
OF_THREAD(cudaStreamGetPriority, (cudaStream_t stream, int *priority),
          (of_thread(stream), priority))
OF_THREAD(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), (of_thread(stream), flags))
OF_THREAD(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id), (of_thread(stream), id))
OF_THREAD(cudaStreamGetDevice, (cudaStream_t stream, int *device), (of_thread(stream), device))
OF_THREAD(cudaStreamSetAttribute,
          (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value),
          (of_thread(stream), attribute, value))
OF_THREAD(cudaStreamGetAttribute,
          (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value),
          (of_thread(stream), attribute, value))
OF_THREAD(cudaStreamSynchronize, (cudaStream_t stream), (of_thread(stream)))
OF_THREAD(cudaStreamQuery, (cudaStream_t stream), (of_thread(stream)))
OF_THREAD(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
          (of_thread(stream), event, flags))
OF_THREAD(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data),
          (of_thread(stream), function, data))
OF_THREAD(cudaStreamAddCallback,
          (cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags),
          (of_thread(stream), function, data, flags))
OF_THREAD(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, of_thread(stream)))
OF_THREAD(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
          (event, of_thread(stream), flags))
WAIT_IN_THREAD(cudaMemcpy, (void *dst, const void *src, size_t bytes, cudaMemcpyKind kind),
               (dst, src, bytes, kind))
WAIT_IN_THREAD(cudaMemcpy2D,
               (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                size_t height, cudaMemcpyKind kind),
               (dst, dst_pitch, src, src_pitch, width, height, kind))
WAIT_IN_THREAD(cudaMemset, (void *pointer, int value, size_t bytes), (pointer, value, bytes))
WAIT_IN_THREAD(cudaMemset2D, (void *pointer, size_t pitch, int value, size_t width, size_t height),
               (pointer, pitch, value, width, height))

} /* extern "C" */
