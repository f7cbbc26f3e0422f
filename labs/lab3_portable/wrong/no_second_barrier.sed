# expect 30: shared race
/nobody needs them/d
