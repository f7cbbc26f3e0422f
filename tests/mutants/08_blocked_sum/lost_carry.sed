# lost_carry - what the addition lost is forgotten: a planted fault. The suite must reject it.
s/partial -= next - sum;/partial = 0;/
