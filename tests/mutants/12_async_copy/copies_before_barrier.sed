# error early
# copies_before_barrier - a stage is filled before all have left it
/the tiles are complete, the other/{
    h
    d
}
/^ \{16\}__pipeline_commit();/G
