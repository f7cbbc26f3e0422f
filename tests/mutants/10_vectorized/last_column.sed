# last_column - the last four columns of B are not loaded: a planted fault. The suite must reject it.
s/i < BK; i += 8)/i + 8 < BK; i += 8)/
