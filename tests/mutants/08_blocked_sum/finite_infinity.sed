# finite_infinity - what is not finite becomes zero: a planted fault. The suite must reject it.
s/return (float)in_double;/return 0;/
