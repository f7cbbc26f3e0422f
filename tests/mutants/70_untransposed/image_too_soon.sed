# error
# image_too_soon - the next tile is sliced while the image is stored
/__syncthreads(); .. nobody needs it/d
