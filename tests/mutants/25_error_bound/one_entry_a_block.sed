# error
# one_entry_a_block - a block takes one sub-tile of the list, not one after the other
s/i < count; i = next/i < count; i = all ? next : ~0u/
