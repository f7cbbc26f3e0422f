# image_no_barrier - the image is stored before it is complete: a planted fault. The suite must reject it.
/square\[d\]);$/{
n
s/    __syncthreads();//
}
