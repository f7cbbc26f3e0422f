# error
# last_entry_left_out - the last sub-tile of the list is left out
s|listed = o.found->listed;|listed = o.found->listed - (o.found->listed > 0);|
