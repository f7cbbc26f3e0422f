/* default_stream.h - which stream 0 is in this file: the legacy one or, by the macro, that of the
 * thread. Calls that take it have other symbols then, as with NVIDIA's header. */
#ifndef CUDACPU_DEFAULT_STREAM_H
#define CUDACPU_DEFAULT_STREAM_H

#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define CUDACPU_DEFAULT_STREAM ((cudaStream_t)0)
#else
#define CUDACPU_DEFAULT_STREAM cudaStreamPerThread
#define CUDACPU_PRAGMA(text) _Pragma(#text)
#define CUDACPU_OF_THREAD(name) CUDACPU_PRAGMA(redefine_extname name name##_ptsz)
/* clang-format off */
#define CUDACPU_CALLS(X) \
    X(cudaMemcpy) X(cudaMemcpy2D) X(cudaMemset) X(cudaMemset2D) X(cudaMemcpyToArray) \
    X(cudaMemcpyFromArray) X(cudaMemcpy2DToArray) X(cudaMemcpy2DFromArray) \
    X(cudaMemcpy2DArrayToArray) X(cudaMemcpy3D) X(cudaMemset3D) X(cudaMemcpyAsync) \
    X(cudaMemcpy2DAsync) X(cudaMemsetAsync) X(cudaMemset2DAsync) X(cudaMemcpyPeerAsync) \
    X(cudaMallocAsync) X(cudaFreeAsync) X(cudaMallocFromPoolAsync) X(cudaStreamGetPriority) \
    X(cudaStreamGetFlags) X(cudaStreamGetId) X(cudaStreamGetDevice) X(cudaStreamSetAttribute) \
    X(cudaStreamGetAttribute) X(cudaStreamSynchronize) X(cudaStreamQuery) X(cudaStreamWaitEvent) \
    X(cudaLaunchHostFunc) X(cudaStreamAddCallback) X(cudaEventRecord) X(cudaEventRecordWithFlags) \
    X(cudaStreamBeginCapture) X(cudaStreamEndCapture) X(cudaStreamIsCapturing) X(cudaGraphUpload) \
    X(cudaGraphLaunch) X(cudaMemcpyToArrayAsync) X(cudaMemcpyFromArrayAsync) \
    X(cudaMemcpy2DToArrayAsync) X(cudaMemcpy2DFromArrayAsync) X(cudaMemcpy3DAsync) \
    X(cudaMemset3DAsync)
/* clang-format on */
CUDACPU_CALLS(CUDACPU_OF_THREAD)
#undef CUDACPU_PRAGMA
#undef CUDACPU_OF_THREAD
#undef CUDACPU_CALLS
#endif
#endif
