# error
# finite_infinity - what is not finite becomes zero
s/return (float)in_double;/return 0;/
