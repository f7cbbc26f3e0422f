# error
# half_of_the_rows - what is known of a warpgroup's lower rows is not copied
s/^    if (i < WG_M) {/    if (i < WG_M \/ 2) {/
