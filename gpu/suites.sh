#!/bin/sh
# suites.sh DIR [SUITE...] - builds suites for this machine's GPU and runs them: DIR/SUITE.txt. Without names: check.
# CHECK_CFLAGS, CHECK_LIBS: where Check is, if pkg-config does not know it.
set -u
out=$1
shift
[ $# -gt 0 ] || set -- check
mkdir -p "$out"
status=0
for suite; do
    {
        echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
        echo "# CUDA: $(nvcc --version | tail -n 1)"
        echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null)}"
        make BACKEND=gpu SUITE="$suite" suite 2>&1
        echo "# status $?"
    } | grep -v -E '^(CC|CPUCC|NVCC|LINK) ' >"$out/$suite.txt"
    grep -q '^# status 0$' "$out/$suite.txt" || status=1
done
exit $status
