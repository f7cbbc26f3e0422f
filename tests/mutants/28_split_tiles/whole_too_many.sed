# error
# whole_too_many - one pair more stays whole than there are
s/? pairs - rest : pairs/? pairs - rest : pairs + 1/
