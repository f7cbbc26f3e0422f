"""Pages that play a kernel, in the chapters: <!-- play: 06_tiled/inspect --> becomes the page that this
command writes with --html, in a frame. `make docs` builds the programs before."""
import os
import re
import shlex
import subprocess

MARKER = re.compile(r"^<!-- play: (.*?) -->$", re.M)
FOLDER = "_static/players"


def name_of(command):
    """06_tiled of 06_tiled/inspect, faults_shared_race of build/.../faults shared_race"""
    path, *rest = shlex.split(command)
    step = os.path.dirname(path) if os.path.basename(path) == "inspect" else os.path.basename(path)
    return re.sub(r"\W+", "_", "_".join([step, *rest]))


def frame(match, up="", words="in a window of its own"):
    name = name_of(match[1])
    target = f"{up}{FOLDER}/{name}.html"
    return (
        f'\n```{{raw}} html\n<iframe class="player" src="{target}" title="{name}, played" loading="lazy">'
        f'</iframe>\n<p><a href="{target}">{name}, {words}</a></p>\n```\n'
    )


def show_frames(app, name, source):
    players = app.env.players = getattr(app.env, "players", set())
    players |= set(MARKER.findall(source[0]))
    # A page in another language, in a folder of the site, plays the site's.
    other = () if app.config.language == "en" else ("../", "在单独的窗口中打开")
    source[0] = MARKER.sub(lambda match: frame(match, *other), source[0])


def write_pages(app, error):
    if error or app.builder.name != "html" or app.config.language != "en":
        return
    root = os.path.dirname(app.srcdir)
    folder = os.path.join(app.outdir, FOLDER)
    os.makedirs(folder, exist_ok=True)
    for command in sorted(getattr(app.env, "players", ())):
        path = os.path.join(folder, name_of(command) + ".html")
        done = subprocess.run(
            [*shlex.split(command), "--html", path], cwd=root, capture_output=True, text=True
        )
        # 1: it has found a fault, as it should
        if done.returncode > 1 or not os.path.exists(path):
            raise RuntimeError(f"{command} --html: status {done.returncode}: {done.stderr}")


def setup(app):
    app.connect("source-read", show_frames)
    app.connect("build-finished", write_pages)
