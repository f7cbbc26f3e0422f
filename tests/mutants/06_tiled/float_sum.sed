# error
# float_sum - no compensation
s/compensation = (next - sum) - term;/compensation = 0;/
