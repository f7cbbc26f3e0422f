# error
# last_entry_left_out - the last sub-tile of the list is left out
s/(all ? whole \* whole : listed)/(all ? whole * whole : listed > 0 ? listed - 1 : 0)/
