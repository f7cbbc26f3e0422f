# kept_partial - what was added to the sum stays in the partial sum too: a planted fault. The suite must reject it.
/partial -= next - sum;/d
