#!/usr/bin/env bash
# container.sh - builds the Dockerfile with the container tool that works here, and in it a step and a part of the suite from
# the files of this checkout. Where there is no such tool it says so, with status 77.
set -eu
cd "$(dirname "$0")/.."
image=localhost/matmult-test
python3 - <<'END'
import json, os
made = json.load(open(".devcontainer/devcontainer.json"))["build"]
for path in made["dockerfile"], made["context"] + "/mk/deps.sh":
    assert os.path.exists(os.path.join(".devcontainer", path)), f"devcontainer.json: there is no {path}"
END

tool=
for name in docker podman buildah; do
    if [ -z "$tool" ] && "$name" info >/dev/null 2>&1; then tool=$name; fi
done
if [ -z "$tool" ]; then
    echo "SKIP the container: none of docker, podman and buildah works here"
    exit 77
fi
echo "$tool builds the Dockerfile"
"$tool" build -q -t "$image" .
step=$(echo [0-9][0-9]_many_gpus)
work="tar x && make 06_tiled && ./06_tiled/run && make check CK_RUN_CASE=06_tiled &&
    make $step && mpirun --oversubscribe --allow-run-as-root -np 2 ./$step/run -n 300"
if [ "$tool" = buildah ]; then
    container=$(buildah from "$image")
    trap 'buildah rm "$container" >/dev/null' EXIT
    run=(buildah run "$container")
else
    run=("$tool" run -i --rm "$image")
fi
git ls-files --cached --others --exclude-standard | tar c -T - | "${run[@]}" bash -c "$work"
