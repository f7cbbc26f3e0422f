# fill_too_soon - copies into the stage that is in use: a planted fault. The suite must reject it.
s/stages\[next % STAGES\]/stages[k % STAGES]/
