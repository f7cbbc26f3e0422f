# error
# rounding_is_nothing - no row has errors of rounding
s|held ? sqrtf((float)sums.errors) / 256|held ? 0|
