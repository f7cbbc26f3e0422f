# error
# no_error_for_infinite - a row with an infinity has no errors
s|held ? sqrtf((float)sums.errors) / 256 : INFINITY|held ? sqrtf((float)sums.errors) / 256 : 0|
