#!/bin/sh
# inspect_table.sh N STEP... - one table of what each step does to memory, from its inspect program.
n=$1
case $n in '' | *[!0-9]* | 0*)
    echo "make inspect N=$n: a whole number from 1 on was expected" >&2
    exit 2
    ;;
esac
shift
printf '%-18s %12s %11s %11s %11s %11s %11s %9s %8s %8s %6s\n' \
    "n = $n" words requests sectors lines store shared '' 8800GT article '' \
    step loaded loading loaded loaded sectors wavefronts barriers s s faults
status=0
for step; do
    row=$("./$step/inspect" -n "$n" --row)
    case $? in
    0) ;;
    77) row="$step: the device cannot run it" ;;
    *) status=1 ;;
    esac
    printf '%s\n' "$row" | tail -n 1
done
exit $status
