# expect 0: was stopped: not done after
# with SECONDS=2
s/start += TILE/start += 0 * TILE/
