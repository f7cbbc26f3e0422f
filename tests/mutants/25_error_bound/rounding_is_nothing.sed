# error
# rounding_is_nothing - no row has errors of rounding
s|sqrtf((float)sums.errors) / 256|0|
