# expect 70: race: line
/nobody needs them/d
