# error
# wgmma_wrong_parity - threads wait for the phase before
s|k / STAGES % 2)|k / STAGES % 2 ^ 1)|
