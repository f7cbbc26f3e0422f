# expect 0: wrong|race
# gpu 0: race|wrong
/nobody needs them/d
