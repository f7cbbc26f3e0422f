# error early
# fill_too_soon - copies into the stage that is in use
s/stages\[next % STAGES\]/stages[k % STAGES]/
