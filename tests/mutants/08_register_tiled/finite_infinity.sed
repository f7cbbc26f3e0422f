# finite_infinity - what is not finite becomes zero: a planted fault. The suite must reject it.
s/= sum_in_double(/= true ? 0 : sum_in_double(/
