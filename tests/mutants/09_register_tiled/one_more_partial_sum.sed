# one_more_partial_sum - the padding is summed too: a planted fault. The suite must reject it.
s/pitch_c \/ sizeof(float), n);/pitch_c \/ sizeof(float), padded);/
