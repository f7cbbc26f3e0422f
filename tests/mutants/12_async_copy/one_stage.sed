# error
# one_stage - the tiles that are multiplied are always those of one stage
s/_\([ab]\)\[stage\]/_\1[0]/g
