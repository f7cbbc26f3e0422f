# error
# signs_not_sent - a rank does not know which tiles of others have signs
s/{o.signs_b, sizeof \*o.signs_b}};/};/
