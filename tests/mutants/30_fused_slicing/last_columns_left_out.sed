# error
# last_columns_left_out - the last eight columns are not sliced
s|early_launch(o.columns / FUSED_COLUMNS|early_launch(o.columns / FUSED_COLUMNS - 1|
