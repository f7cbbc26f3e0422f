# error
# lost_carry - what the addition lost is forgotten
s/partial -= next - sum;/partial = 0;/
