# error
# not_sent_again - C does not come back again when sub-tiles were computed in double
s/found.listed > 0 ||/false ||/
