# expect 5: race
/nobody needs them/d
