# error
# one_entry_a_block - a block takes one sub-tile of the list, not one after the other
/all ? whole \* whole/s/i += gridDim.x/i = all ? i + gridDim.x : ~0u/
