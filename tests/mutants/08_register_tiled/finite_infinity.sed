# finite_infinity - what is not finite becomes zero: a planted fault. The suite must reject it.
s/= in_double(/= true ? 0 : in_double(/
