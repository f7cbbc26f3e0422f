# expect 94: no race, no access outside.*shared race: student.cl
# full
# file student.cl
/nobody needs them/d
