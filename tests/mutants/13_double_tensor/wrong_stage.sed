# error
# wrong_stage - multiplies the stage that the copies fill
s/multiply_stage<WM, WN>(&stages\[stage\]/multiply_stage<WM, WN>(\&stages[stage == 0 ? STAGES - 1 : stage - 1]/
