#!/usr/bin/env bash
# lint.sh - layout and plain mistakes, without running anything: clang-format, shellcheck, cppcheck, and the house's own
# rules on length and on layers. `make lint` calls it; each finding is a line, and status 1.
set -u
cd "$(dirname "$0")/.." || exit 1
status=0
wrong() { echo "lint: $*"; status=1; }
files() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do [ -f "$file" ] && echo "$file"; done; }

missing=
for tool in clang-format shellcheck cppcheck; do command -v $tool >/dev/null || missing="$missing $tool"; done
if [ -n "$missing" ]; then
    wrong "not here:$missing (Debian and Ubuntu: apt-get install$missing)"
    exit $status
fi

# Wrong submissions of the labs are what students hand in: not ours to lay out.
mapfile -t sources < <(files '*.c' '*.h' '*.cpp' '*.cu' '*.cuh' | grep -v '^labs/.*/wrong/')
mapfile -t scripts < <(files | xargs grep -lE '^#!.*(bash|/sh)$')
mapfile -t long < <(files '*.c' '*.h' '*.cpp' '*.cu' '*.cuh' '*.py' '*.sh')
clang-format --dry-run -Werror "${sources[@]}" || wrong "clang-format would change files: clang-format -i FILE"
shellcheck "${scripts[@]}" || wrong "shellcheck has found something"
cppcheck --quiet --error-exitcode=1 --enable=warning,portability --std=c11 --inline-suppr -Icommon -Icudacpu/include \
    -Ilabs/grader common/*.c [0-9][0-9]_*/matmult.c labs/grader/*.c || wrong "cppcheck has found something"

.ci/ladder.py || status=1
docs/tools/layers.py --check || status=1

# One concept a file. A step is one file whatever it takes.
for file in "${long[@]}"; do
    lines=$(wc -l <"$file")
    case $file in [0-9][0-9]_*) continue ;; esac
    [ "$lines" -le 500 ] || wrong "$file has $lines lines; 500 is the most"
done
[ "$(wc -l <Makefile)" -le 100 ] || wrong "the Makefile has more than 100 lines: mk/ has a file for each thing"
awk 'length > 90 { print "lint: " FILENAME ":" FNR ": more than 90 columns"; bad = 1 } END { exit bad }' [0-9][0-9]_*/*.c* [0-9][0-9]_*/*.h || status=1
awk 'length > 100 { print "lint: " FILENAME ":" FNR ": more than 100 columns"; bad = 1 } END { exit bad }' "${sources[@]}" || status=1
[ $status -ne 0 ] || echo "lint: ${#sources[@]} C and CUDA files, ${#scripts[@]} scripts: nothing found"
exit $status
