# error
# signs_of_a_ignored - where A has signs |x0| is x0
s/signs_a = o.found->negative_a/signs_a = false/
