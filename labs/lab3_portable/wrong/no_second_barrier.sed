# expect 33: shared race
/nobody needs them/d
