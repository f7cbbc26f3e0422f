# one_stage - the tiles that are multiplied are always those of one stage: a planted fault. The suite must reject it.
s/_\([ab]\)\[stage\]/_\1[0]/g
