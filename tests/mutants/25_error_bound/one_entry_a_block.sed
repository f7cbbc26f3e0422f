# error
# one_entry_a_block - a block takes one sub-tile of the list, not one after the other
/i < o.counts->listed/s/i += gridDim.x/i = ~0u/
