# chunk_not_emptied - what was added to the sum stays in the chunk as well: a planted fault. The suite must reject it.
/\*chunk -= next - sum;/d
