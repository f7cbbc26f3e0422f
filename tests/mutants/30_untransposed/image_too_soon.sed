# image_too_soon - the next tile is sliced while the image is stored: a planted fault. The suite must reject it.
/__syncthreads(); .. nobody needs it/d
