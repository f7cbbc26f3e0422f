# expect 34: shared race
/nobody needs them/d
