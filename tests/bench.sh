#!/bin/sh
# bench.sh - the ladder as a table, measured here: median of three runs of each step at n = 1000.
printf '%-18s %10s %9s %10s %9s %9s %11s %11s\n' step 'total s' GFLOPS 'kernel s' GFLOPS 'to 02' 'max error' 'mean error'
for step in "$@"; do
    "./$step/run" --csv -r 3 2>/dev/null | tail -n 1
done | sed 's/"[^"]*"/device/' | awk -F, '
    $1 == "02_naive_cuda" { naive = $12 }
    { printf "%-18s %10.4f %9.2f %10.4f %9.2f %9s %11.3g %11.3g\n", $1, $10, $11, $12, $13, naive ? sprintf("%.2f", naive / $12) : "-", $8, $9
      backend = $2 }
    END { print "Backend of the last step: " backend "; ratios are of kernel times, above 1 is faster than 02." }'
