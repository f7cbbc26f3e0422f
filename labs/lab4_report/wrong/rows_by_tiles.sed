# expect 84: 14 x 15 x 400, rows, blocks of 16 x 16: .*a block of 7 rows and as many columns loads each of them once
s/^        rowsKernel<<<.*/        (void)strips;\n        launch(TILED, a, b, c, m, n, k, block);/
s/^__global__ void rowsKernel/[[maybe_unused]] &/
