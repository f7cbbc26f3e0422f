# error
# not_sent_again - rows of C do not come back again when some were computed in double
s/^        if (rows > 0) {$/        if (false) {/
