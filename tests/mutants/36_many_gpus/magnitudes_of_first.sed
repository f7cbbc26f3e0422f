# error
# magnitudes_of_first - magnitudes are restored for the first tiles
s|tile = o.left / TILE + blockIdx.x|tile = blockIdx.x|
