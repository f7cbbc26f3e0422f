# hang
# counts_too_soon - a block asks before the other one has flagged all
s/^    sync_cluster(); .. both have flagged.*//
