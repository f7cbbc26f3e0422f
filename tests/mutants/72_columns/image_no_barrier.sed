# error
# image_no_barrier - the image is stored before it is complete
/square\[d\]);$/{
n
s/    __syncthreads();//
}
