# float_sum - no compensation: a planted fault. The suite must reject it.
s/compensation = (next - sum) - term;/compensation = 0;/
