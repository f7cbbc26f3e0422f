# error
# one_more_partial_sum - the padding is summed too
s/pitch_c \/ sizeof(float), n);/pitch_c \/ sizeof(float), padded);/
