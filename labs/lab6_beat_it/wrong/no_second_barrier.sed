# expect 0: wrong|race
/nobody needs them/d
