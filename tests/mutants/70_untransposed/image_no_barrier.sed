# error
# image_no_barrier - the image is stored before it is complete
/__syncthreads(); .. the image is complete/d
