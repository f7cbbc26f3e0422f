# wgmma_wrong_parity - threads wait for the phase before: a planted fault. The suite must reject it.
s|k / STAGES % 2)|k / STAGES % 2 ^ 1)|
