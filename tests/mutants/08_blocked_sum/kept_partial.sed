# error
# kept_partial - what was added to the sum stays in the partial sum too
/partial -= next - sum;/d
