/* cuda_occupancy.h - programs include it by habit, and call the occupancy functions of
 * cuda_runtime.h. Its own (cudaOcc...) are for devices by their properties: cpucc refuses them. */
#include "cuda_runtime.h"
