# error
# last_columns_left_out - the last eight columns are not sliced
s|(unsigned)o.n / FUSED_COLUMNS|(unsigned)o.n / FUSED_COLUMNS - 1|
