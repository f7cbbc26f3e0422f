# expect 57: was stopped
# full
# with SECONDS=2
s/start += BLOCK/start += 0 * BLOCK/
