# error
# last_column - the last four columns of B are not loaded
s/i < BK; i += 8)/i + 8 < BK; i += 8)/
