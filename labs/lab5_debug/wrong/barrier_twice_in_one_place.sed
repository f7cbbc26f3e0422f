# expect 0: x
# Product 6 has two barriers, both before the sum.
/==== 6:/,/==== 7:/ {
  s/^        for (size_t i = 0; i < TILE; i++)/        __syncthreads();\n&/
  /sum += /{n;d;}
}
