# error
# last_entry_left_out - the last sub-tile of the list is left out
s/i < o.counts->listed/i + 1 < o.counts->listed/
