# hang
# first_pass_of_one_block - a block asks only itself whether anything is flagged
s/\*flagged + \*cluster.map_shared_rank(flagged, cluster.block_rank() ^ 1)/*flagged/
