#!/usr/bin/env python3
"""Opens every page of the built site in headless Chromium, as wide as a phone and as a desktop, light and
dark, and says what is wrong: errors on the console, pictures that do not load, formulas that are not
drawn, text wider than the window, code that has nearly the colour of the page, and on a desktop blocks of
code that hide a part of their lines. Of the pictures, whose words lie where this system's fonts put them,
it says which leave the picture or lie on another.

    docs/tools/browser.py [--shots FOLDER] [PAGE.html or PICTURE.svg...]     after `make docs`
"""
import base64
import glob
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

SITE = "docs/_build/html"
PICTURES = ("docs/figures/*.svg",)
SIZES = {"phone": (400, 844), "desktop": (1440, 900)}
LOOK = """
const [dark, desktop, done] = arguments;
const colours = text => text.match(/[\\d.]+/g).map(Number);
const luminance = text => colours(text).slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = element => {  // the nearest background that is not transparent
    for (; element; element = element.parentElement) {
        const colour = getComputedStyle(element).backgroundColor;
        if (colours(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
};
const contrast = element => {  // from 1, invisible, to 21
    const [low, high] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
};
const look = () => {
    const root = document.documentElement, wrong = [];
    if (root.scrollWidth > root.clientWidth) {
        const wide = [...document.querySelectorAll('article *')].filter(e => e.getBoundingClientRect().right > root.clientWidth + 1);
        wrong.push('the page is ' + root.scrollWidth + ' wide' + (wide.length ? ', for example ' + wide[0].outerHTML.slice(0, 80) : ''));
    }
    const background = colours(behind(document.body));
    if ((background[0] + background[1] + background[2] < 3 * 128) !== dark) wrong.push('the background is rgb(' + background + ')');
    for (const image of document.images)
        if (!image.complete || image.naturalWidth === 0) wrong.push('a picture does not load: ' + image.getAttribute('src'));
    for (const math of document.querySelectorAll('.math'))
        if (!math.querySelector('svg')) wrong.push('a formula is not drawn: ' + math.textContent);
    for (const error of document.querySelectorAll('.MathJax_Error, .merror, [id^="MathJax"] .noError'))
        wrong.push('a formula that cannot be read: ' + error.textContent);
    for (const block of document.querySelectorAll('article pre'))
        if (desktop && block.scrollWidth > block.clientWidth)
            wrong.push('a block of code hides ' + (block.scrollWidth - block.clientWidth) + ' pixels: ' + block.textContent.slice(0, 60));
    const faint = [...document.querySelectorAll('article pre span')].filter(e => e.textContent.trim() && contrast(e) < 2);
    for (const kind of new Set(faint.map(e => e.className)))
        wrong.push('code that is hardly seen, class ' + kind + ': ' + faint.find(e => e.className === kind).textContent.slice(0, 60));
    done(wrong);
};
if (document.querySelector('.math')) {
    const wait = () => window.MathJax && MathJax.Hub && MathJax.isReady ? MathJax.Hub.Queue(look) : setTimeout(wait, 50);
    wait();
} else look();
"""

LOOK_AT_PICTURE = """
const done = arguments[arguments.length - 1];
const frame = document.documentElement.getBoundingClientRect(), wrong = [];
const texts = [...document.querySelectorAll('text')].filter(e => e.textContent.trim())
    .map(e => ({words: e.textContent.trim(), box: e.getBoundingClientRect()}));
texts.forEach(({words, box}, i) => {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        wrong.push('leaves the picture: ' + words);
    for (const other of texts.slice(i + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (wide > 2 && high > 0.4 * Math.min(box.height, other.box.height)) wrong.push(words + ' lies on ' + other.words);
    }
});
done(wrong);
"""


class Browser:
    """A WebDriver session of chromedriver."""

    def __init__(self, size, dark):
        self.size, self.dark = size, dark
        width, height = SIZES[size]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--log-level=OFF"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.base = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                if self.ask("GET", "/status")["ready"]:
                    break
            except urllib.error.URLError:
                time.sleep(0.1)
        arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            f"--window-size={width},{height}",
            "--allow-file-access-from-files",
        ]
        if dark:
            arguments.append("--force-dark-mode")
        options = {
            "args": arguments,
            "mobileEmulation": {
                "deviceMetrics": {"width": width, "height": height, "pixelRatio": 1, "touch": False}
            },
        }
        wanted = {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": options,
            "timeouts": {"script": 30000, "pageLoad": 60000},
        }
        self.session = (
            "/session/"
            + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        )

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"chromedriver: {json.load(error)['value']['message']}")

    def look_at(self, page):
        """What is wrong with it."""
        self.ask("POST", self.session + "/url", {"url": "file://" + os.path.abspath(page)})
        script = LOOK_AT_PICTURE if page.endswith(".svg") else LOOK
        wrong = self.ask(
            "POST",
            self.session + "/execute/async",
            {"script": script, "args": [self.dark, self.size == "desktop"]},
        )
        said = self.ask("POST", self.session + "/se/log", {"type": "browser"})
        return wrong + [
            f"console: {entry['message']}"
            for entry in said
            if entry["level"] in ("SEVERE", "WARNING")
        ]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", self.session + "/screenshot")))

    def close(self):
        if hasattr(self, "session"):
            self.ask("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()


def main():
    arguments = sys.argv[1:]
    shots = None
    if arguments[:1] == ["--shots"]:
        shots, arguments = arguments[1], arguments[2:]
        os.makedirs(shots, exist_ok=True)
    pages = arguments or sorted(glob.glob(SITE + "/**/*.html", recursive=True))
    if not pages:
        sys.exit("no pages: 'make docs' builds them")
    for page in pages:
        if not os.path.isfile(page):
            sys.exit(f"there is no page {page}")
    pictures = [] if arguments else [path for name in PICTURES for path in sorted(glob.glob(name))]
    if not shutil.which("chromedriver"):
        sys.exit("needs: apt-get install --no-install-recommends chromium chromium-driver")
    wrong = 0
    for name in SIZES:
        for dark in (False, True):
            browser = Browser(name, dark)
            try:
                once = name == "desktop" and not dark
                for page in pages + (pictures if once else []):
                    for message in browser.look_at(page):
                        print(f"{page}, {name}, {'dark' if dark else 'light'}: {message}")
                        wrong += 1
                    if shots:
                        browser.picture(
                            f"{shots}/{os.path.basename(page)[:-5]}_{name}_{'dark' if dark else 'light'}.png"
                        )
            finally:
                browser.close()
    print(
        f"{len(pages)} pages, each in {2 * len(SIZES)} ways, {len(pictures)} pictures: "
        + (f"{wrong} things are wrong" if wrong else "nothing is wrong")
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
