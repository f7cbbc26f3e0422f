#!/bin/bash
# ncu.sh OUT.csv [N...] - counts global memory requests and sectors of the article's steps (step.conf has article-total)
# with ncu, on a GPU, and with inspect, and sets them side by side. It runs in the root of the repository after `make`.
out=$1
shift
[ $# -gt 0 ] || set -- 100 333 1000
metrics=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
export CUDACPU_INSPECT_WHOLE=1
json=$(mktemp) || exit 1
trap 'rm -f "$json"' EXIT
differ=0
{
    echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), $(nvcc --version | grep -o 'release [0-9.]*'), commit ${COMMIT:-$(git rev-parse --short HEAD)}"
    echo "# ncu --clock-control none --metrics $metrics"
    echo "step,n,count,ncu,inspect"
} >"$out"
for conf in */step.conf; do
    grep -q '^[[:space:]]*article-total[[:space:]]*=' "$conf" || continue
    step=${conf%/step.conf}
    for n; do
        "./$step/inspect" -n "$n" --json "$json" >/dev/null || exit 1
        ncu --clock-control none --csv --page raw --metrics "$metrics" "build/gpu/$step/run" -n "$n" >"$json.ncu" || exit 1
        for way in load store; do
            for count in requests sectors; do
                counted=$(sed -E "s/.*\"global\": \{(\"load\": \{[^}]*\}, )?\"$way\": \{([^}]*)\}.*/\2/; s/.*\"$count\": ([0-9]+).*/\1/" "$json")
                name=l1tex__t_${count}_pipe_lsu_mem_global_op_$([ $way = load ] && echo ld || echo st).sum
                by_ncu=$(python3 -c '
import csv, sys
rows = [r for r in csv.reader(open(sys.argv[1])) if len(r) > 5]
print(int(float(rows[2][rows[0].index(sys.argv[2])].replace(",", ""))))' "$json.ncu" "$name")
                echo "$step,$n,global $way $count,$by_ncu,$counted" >>"$out"
                [ "$by_ncu" = "$counted" ] || differ=$((differ + 1))
            done
        done
        rm -f "$json.ncu"
    done
done
echo "# $differ counts differ" >>"$out"
[ $differ = 0 ]
