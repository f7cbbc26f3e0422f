# error
# rows_of_first_warpgroup - both warpgroups have what is known of the first one's rows
s/start_info(info, o, min(row + y, o.n - WG_M)/start_info(info, o, min(row, o.n - WG_M)/
