#!/usr/bin/env bash
# check.sh - compiles and runs the test programs of PTX, and compares the hashes of exact results with expected/.
#     cudacpu/tests/ptx/check.sh [PROGRAM...]                         all, on the CPU, with cpucc, with each CUDACPU_ASYNC
#     COMPILER='nvcc -gencode arch=compute_90a,code=sm_90a' cudacpu/tests/ptx/check.sh     on an H200
# UPDATE=1 writes expected/ anew.
set -u
cd "$(dirname "$0")" || exit 1
compiler=${COMPILER:-../../cpucc -O2}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
programs=("$@")
[ $# -gt 0 ] || for source in *.cu; do programs+=("${source%.cu}"); done
status=0
for program in "${programs[@]}"; do
    # shellcheck disable=SC2086 # a command and its options
    if ! $compiler -o "$work/$program" "$program.cu"; then
        echo "$program: does not compile"
        status=1
        continue
    fi
    for mode in late random early; do
        CUDACPU_ASYNC=$mode "$work/$program" >"$work/output" || { echo "$program, $mode: exit status $?"; status=1; }
    done
    grep -E ' [0-9a-f]{16}$' "$work/output" >"$work/hashes"
    [ -z "${UPDATE:-}" ] || cp "$work/hashes" "expected/$program.txt"
    [ ! -e "expected/$program.txt" ] || diff "expected/$program.txt" "$work/hashes" ||
        { echo "$program: other results than in expected/"; status=1; }
    echo "$program: $(wc -l <"$work/hashes") exact cases, $(grep -c 'of the bound' "$work/output") within bounds"
done
exit $status
