#!/bin/bash
# verdicts.sh OUT.csv - each planted fault and its twin under inspect and, on a GPU, under compute-sanitizer.
# Arguments 2 and 3: the observed program and the GPU's, both made from cudacpu/inspect/tests/faults.cu.
out=$1 observed=$2 gpu=$3
source=cudacpu/inspect/tests/faults.cu faults=()
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
{
    echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), $(compute-sanitizer --version | grep -o 'Version.*'), commit ${COMMIT:-$(git rev-parse --short HEAD)}"
    echo "fault,line,inspect,inspect_twin,compute_sanitizer,compute_sanitizer_twin"
} >"$out"
sanitizers() { # name [twin]: the tools that complain
    local found='' tool options
    for tool in memcheck racecheck initcheck synccheck; do
        options=()
        [ $tool = memcheck ] && options=(--leak-check full)
        compute-sanitizer --tool $tool ${options[@]+"${options[@]}"} --error-exitcode 9 "$gpu" "$@" >/dev/null 2>&1
        [ $? = 9 ] && found+="${found:+ }$tool"
    done
    echo "${found:-clean}"
}
inspected() { # name [twin]: the kinds of fault reported
    "$observed" "$@" 2>/dev/null | sed -n 's/^fault: \([^:]*\):.*/\1/p' | sort -u | paste -sd ';' | sed 's/;/; /g; s/^$/clean/'
}
verdict() { local v; v=$(inspected "$@"); echo "${v:-clean}"; }
grep -o 'fault: [a-z_]* \*/' $source | cut -d' ' -f2 | sort -u >"$work/.faults"
while read -r fault; do
    line=$(grep -n "fault: $fault \*/" $source | head -n 1 | cut -d: -f1)
    faults+=("$fault")
    echo "$fault,$line,$(verdict "$fault"),$(verdict "$fault" twin),$(sanitizers "$fault"),$(sanitizers "$fault" twin)" >"$work/$fault" &
done <"$work/.faults"
wait
for fault in "${faults[@]}"; do cat "$work/$fault"; done >>"$out"
