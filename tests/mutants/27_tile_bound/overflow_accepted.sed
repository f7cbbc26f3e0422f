# error
# overflow_accepted - an infinity is accepted as any other value
s/bool enough = is_finite(largest)/bool enough = true/
