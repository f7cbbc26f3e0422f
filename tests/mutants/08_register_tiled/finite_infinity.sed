# finite_infinity - what is not finite becomes zero: a planted fault. The suite must reject it.
s/= inDouble(/= true ? 0 : inDouble(/
