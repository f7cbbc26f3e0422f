# error
# all_not_sent_again - C does not come back again when all of it was computed in double
s/^        is_all_double(found, o.n)) {/        false) {/
