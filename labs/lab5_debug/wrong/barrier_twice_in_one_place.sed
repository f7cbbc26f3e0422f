# expect 88: 0/7 product 6: .*shared race: student.cu:138 and student.cu:143
# Product 6 has two barriers, both before the sum.
/==== 6:/,/==== 7:/ {
  s/^        for (size_t i = 0; i < TILE; i++)/        __syncthreads();\n&/
  /sum += /{n;d;}
}
