#!/bin/sh
# plots.sh DIR - DIR/bench_speed.svg, bench_error.svg and bench_ladder.svg, from DIR/bench.csv.
set -eu
if ! command -v gnuplot >/dev/null; then
    echo "gnuplot is missing, so no plots: bench/plots.sh $1 makes them"
    exit 0
fi
for plot in plot ladder; do gnuplot -e "csv='$1/bench.csv'; out='$1'" "$(dirname "$0")/$plot.gp"; done
echo "plots: $1/bench_speed.svg, bench_error.svg, bench_ladder.svg"
