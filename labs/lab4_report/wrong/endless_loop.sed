# expect 31: was stopped
# gpu 13: was stopped: not done after
# full
# with SECONDS=2
s/start += BLOCK/start += 0 * BLOCK/
