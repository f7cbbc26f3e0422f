# expect 42: shared race
# full
/nobody needs them/d
