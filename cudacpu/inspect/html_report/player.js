/* player.js - the page: plays a recorded block, warp by warp. */
'use strict';

const player = {recording: null, warp: 0, index: 0, steps: [], pictures: [], timer: 0};
const element = (kind, parent, text, name) => {
    const e = parent.appendChild(document.createElement(kind));
    if (text) e.textContent = text;
    if (name) e.className = name;
    return e;
};
const triple = ([x, y, z]) => '(' + [x, y, ...(z > 1 ? [z] : [])].join(',') + ')';
const blockName = r => triple([r.block % r.grid[0], Math.floor(r.block / r.grid[0]) % r.grid[1], 0]);
const threadName = (r, thread) => {
    const [x, y] = r.dimensions;
    return `(${thread % x},${Math.floor(thread / x) % y}${r.dimensions[2] > 1 ? ',' + Math.floor(thread / x / y) : ''})`;
};
const ui = {};

/* ---- the page's parts ---- */

function makeControls(page) {
    const where = element('div', page.parentElement, '', 'where');
    page.before(where);
    const choose = (label, of) => {
        const box = element('label', where, label + ' ');
        of.select = element('select', box);
        return of.select;
    };
    choose('Kernel and block', ui.block = {}).onchange = e => showRecording(+e.target.value);
    choose('Warp', ui.warp = {}).onchange = e => showWarp(+e.target.value);
    choose('Steps a second', ui.speed = {});
    for (const speed of [2, 5, 10, 30]) element('option', ui.speed.select, String(speed));
    ui.speed.select.value = '5';
    ui.speed.select.onchange = () => player.timer && (play(), play());
    const bar = element('div', page, '', 'controls');
    const button = (text, title, act) => {
        const b = element('button', bar, text);
        b.title = title, b.onclick = act;
        return b;
    };
    button('First', 'Home', () => go(0));
    button('Back', 'Arrow left', () => go(player.index - 1));
    button('Step', 'Arrow right', () => go(player.index + 1));
    ui.play = button('Play', 'Space', play);
    button('Barrier', 'B: the next barrier', () => jump(s => /barrier|pass|wait/.test(s.kind)));
    ui.fault = button('Fault', 'F: the next fault', nextFault);
    ui.range = element('input', bar);
    Object.assign(ui.range, {type: 'range', min: 0, oninput: e => go(+e.target.value)});
    ui.range.setAttribute('aria-label', 'step');
    ui.position = element('output', bar);
}

function makeParts(page) {
    const top = element('div', page, '', 'top');
    makeControls(top);
    ui.sentence = element('p', top, '', 'sentence');
    ui.sentence.setAttribute('role', 'status');
    const columns = element('div', page, '', 'columns');
    let column = element('div', columns);
    const part = (title, name) => {
        const section = element('section', column, '', name);
        ui[name + 'Title'] = element('h2', section, title);
        return element('div', section);
    };
    ui.faults = part('Faults', 'faults');
    ui.source = part('Source', 'source');
    ui.coming = part('On their way', 'coming');
    ui.counts = part('Counts', 'counts');
    column = element('div', columns);
    ui.lanes = part('Lanes', 'lanes');
    ui.memory = part('Memory', 'memory');
    ui.note = element('p', page, '', 'note');
    element('p', page, 'Keys: arrows step, Space plays, Home and End, Page up and Page down go by ten, B next barrier or wait, F next fault, W next warp.', 'note');
}

/* ---- what is shown ---- */

function showRecording(number, warp = 0, index = 0) {
    player.recording = trace.recordings[number];
    player.number = number;
    ui.block.select.value = number;
    ui.warp.select.replaceChildren();
    player.recording.warps.forEach((_, w) => {
        const bad = stepsOf(player.recording, w).some(s => s.kind === 'fault');
        element('option', ui.warp.select, w + (bad ? ': fault' : '')).value = w;
    });
    ui.memory.replaceChildren();
    const memories = [...player.recording.memories].sort((a, b) => a.shared - b.shared);
    player.pictures = memories.map(m => new Picture(player.recording, m, ui.memory));
    showWarp(Math.min(warp, player.recording.warps.length - 1), index);
}

function showWarp(warp, index = 0) {
    player.warp = warp;
    player.steps = stepsOf(player.recording, warp);
    player.sums = null;
    player.all = countSteps(player.steps, player.steps.length);
    ui.warp.select.value = warp;
    ui.range.max = Math.max(0, player.steps.length - 1);
    player.pictures.forEach(p => { p.seen = new Set(), p.seenTo = 0, p.last = null; });
    const cut = player.recording.warps[warp].cut
        ? `Cut off: this page has the first ${player.steps.length} steps of this warp, and not the later ones. ` : '';
    const r = player.recording;
    ui.note.textContent = cut + `${r.kernel}<<<${triple(r.grid)}, ${triple(r.dimensions)}>>>, launch ${r.launch} of the program:`
        + ` block ${blockName(r)}, ${r.warps.length} warps; other blocks are not shown unless they have a fault.`
        + ' A step is what a warp asks for with one instruction; where its lanes diverge, what stands first in the source comes first.';
    go(index);
}

function go(index) {
    player.index = Math.max(0, Math.min(index, player.steps.length - 1));
    if (!player.steps.length) {
        ui.sentence.textContent = 'This warp accesses no memory.';
        return;
    }
    const s = player.steps[player.index];
    if (player.timer && player.index === player.steps.length - 1) play();
    ui.range.value = player.index;
    ui.position.textContent = `step ${player.index + 1} of ${player.steps.length}`;
    ui.sentence.textContent = sentenceOf(s, player.recording) + '.';
    ui.sentence.classList.toggle('fault', s.kind === 'fault');
    const pending = pendingAt(player.recording, player.warp, player.index);
    showSource(s);
    showLanes(s);
    player.pictures.forEach(p => p.draw(player.steps, player.index, pending));
    showComing(pending);
    showCounts();
}

function showSource(s) {
    if (ui.file !== s.file) {
        ui.file = s.file;
        ui.sourceTitle.textContent = s.file || 'Source';
        ui.source.replaceChildren();
        const text = trace.sources[s.file];
        if (!text) element('p', ui.source, 'The source cannot be read from the folder in which this ran.');
        ui.lines = (text || '').split('\n').map((line, i) => {
            const row = element('div', ui.source, '', 'line');
            element('span', row, String(i + 1), 'number');
            element('code', row, line || ' ');
            return row;
        });
    }
    if (ui.now) ui.now.className = 'line';
    ui.now = ui.lines[s.line - 1];
    if (!ui.now) return;
    ui.now.className = s.kind === 'fault' ? 'line now fault' : 'line now';
    const box = ui.source, top = ui.now.offsetTop;
    if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 60)
        box.scrollTop = top - box.clientHeight / 3;
}

function showLanes(s) {
    const threads = player.recording.dimensions.reduce((a, b) => a * b, 1);
    const by = new Map(s.lanes.map(l => [l.lane, l]));
    ui.lanes.replaceChildren();
    for (let lane = 0; lane < 32; lane++) {
        const thread = player.warp * 32 + lane, l = by.get(lane);
        const box = element('div', ui.lanes, '', l ? 'lane' : 'lane idle');
        element('b', box, String(lane));
        element('small', box, thread < threads ? threadName(player.recording, thread) : 'none');
        element('span', box, l && s.memory ? nameOf(s.memory, l.offset) : '\u00a0');
        if (l) box.style.borderColor = s.kind === 'fault' ? colour('--fault') : laneColour(lane);
        if (l && s.memory) box.dataset.offset = l.offset;
    }
    ui.lanesTitle.textContent = `Lanes of warp ${player.warp}: ${s.lanes.length} of 32 act; lane, thread, element`;
}

function showComing(pending) {
    ui.coming.replaceChildren();
    ui.coming.parentElement.hidden = !player.recording.places.some(p => /copy|bulk|wgmma/.test(p[0]));
    if (!pending.length) element('p', ui.coming, 'Nothing: all that was started is waited for.');
    const lines = new Map();
    for (const {step, state} of pending) {
        const what = step.kind === 'wgmma' ? 'wgmma' : step.kind === 'copy writes' ? 'copies' : step.kind + 's';
        const key = `Line ${step.line}: ${what}, ${state}`;
        const bytes = step.kind === 'copy writes' ? step.lanes.length * step.size : step.kind === 'wgmma' ? 0 : step.numbers[0];
        const sum = lines.get(key) || [0, 0];
        lines.set(key, [sum[0] + 1, sum[1] + bytes]);
    }
    for (const [text, [times, bytes]] of lines)
        element('p', ui.coming, `${text}: ${times}` + (bytes ? `, ${bytes} bytes` : ''));
}

function showCounts() {
    const kernel = trace.kernels.find(k => k.kernel === player.recording.kernel);
    if (!player.sums || player.sumsTo > player.index) player.sums = COUNTS.map(() => 0), player.sumsTo = -1;
    while (player.sumsTo < player.index) {
        player.sumsTo++;
        COUNTS.forEach(([, of], c) => player.sums[c] += of(player.steps[player.sumsTo]) || 0);
    }
    const table = document.createElement('table'), head = element('tr', table);
    for (const text of ['', 'to here', 'warp', 'kernel']) element('th', head, text);
    COUNTS.forEach(([name, , ofKernel], c) => {
        const whole = kernel ? ofKernel(kernel) : 0;
        if (!player.all[c] && !whole) return;
        const row = element('tr', table);
        element('th', row, name);
        for (const n of [player.sums[c], player.all[c], whole]) element('td', row, String(n));
        row.dataset.count = player.sums[c];
    });
    ui.counts.replaceChildren(table);
}

/* ---- faults ---- */

/* The first step with this fault: [recording, warp, index]; undefined: it is of host code, or cut. */
function findFault(f) {
    for (let r = 0; r < trace.recordings.length; r++)
        for (let w = 0; w < trace.recordings[r].warps.length; w++) {
            const i = stepsOf(trace.recordings[r], w).findIndex(s => s.kind === 'fault'
                && s.line === f.line && s.text.startsWith(f.kind + ':'));
            if (i >= 0 && trace.recordings[r].kernel === f.kernel) return [r, w, i];
        }
}

function listFaults() {
    ui.faults.parentElement.hidden = ui.fault.hidden = !trace.faults.length;
    for (const f of trace.faults) {
        const at = findFault(f);
        const step = at && stepsOf(trace.recordings[at[0]], at[1])[at[2]];
        const where = step && step.memory ? ` in ${variablesOf(step)}` : '';
        const text = `${f.kind}${where}, line ${f.line}: ${f.block ? `block ${f.block} ` : ''}${f.thread ? `thread ${f.thread}: ` : ''}`
            + f.message + (f.count > 1 ? ` (${f.count} times)` : '');
        const row = element('p', ui.faults, text + ' ', 'fault');
        if (at) element('button', row, 'Show').onclick = () => showRecording(...at);
    }
    ui.faultsTitle.textContent = count(trace.faults.length, 'fault');
}

function jump(wanted) {
    const i = player.steps.findIndex((s, i) => i > player.index && wanted(s));
    if (i >= 0) go(i);
    return i >= 0;
}

/* In this warp, else in the first one that has any. */
function nextFault() {
    if (jump(s => s.kind === 'fault')) return;
    const places = trace.faults.map(findFault).filter(Boolean);
    const next = places.find(([r, w]) => r > player.number || (r === player.number && w > player.warp)) || places[0];
    if (next) showRecording(...next);
}

/* ---- time and keys ---- */

function play() {
    if (player.timer) clearInterval(player.timer), player.timer = 0;
    else player.timer = setInterval(() => go(player.index + 1), 1000 / +ui.speed.select.value);
    ui.play.textContent = player.timer ? 'Pause' : 'Play';
}

const KEYS = {
    ArrowRight: () => go(player.index + 1), ArrowLeft: () => go(player.index - 1),
    PageDown: () => go(player.index + 10), PageUp: () => go(player.index - 10),
    Home: () => go(0), End: () => go(player.steps.length - 1), ' ': play,
    b: () => jump(s => /barrier|pass|wait/.test(s.kind)), f: nextFault,
    w: () => showWarp((player.warp + 1) % player.recording.warps.length),
};
function onKey(event) {
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const taken = /^(SELECT|INPUT)$/.test(event.target.tagName) || (event.key === ' ' && event.target.tagName === 'BUTTON');
    if (!act || taken || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
}

/* page.html#1.2.30: recording 1, warp 2, step 30; else the first fault */
function showAddressed() {
    const [, r, w, i] = location.hash.match(/^#(\d+)\.(\d+)\.(\d+)$/) || [];
    const fault = trace.faults.map(findFault).find(Boolean);
    if (trace.recordings[r]) showRecording(+r, +w, i - 1);
    else if (fault) showRecording(...fault);
    else showRecording(trace.first);
}

function start() {
    const page = document.getElementById('player');
    if (!trace.recordings.length) {
        element('p', page, 'No kernel ran.');
        for (const f of trace.faults) element('p', page, `${f.kind}, ${f.file}:${f.line}: ${f.message}`, 'fault');
        return;
    }
    makeParts(page);
    trace.recordings.forEach((r, i) => {
        const bad = r.warps.some((_, w) => stepsOf(r, w).some(s => s.kind === 'fault'));
        const text = `${r.kernel}, block ${blockName(r)}${bad ? ': fault' : ''}`;
        element('option', ui.block.select, text).value = i;
    });
    listFaults();
    showAddressed();
    document.addEventListener('keydown', onKey);
    addEventListener('hashchange', showAddressed);
    addEventListener('resize', () => go(player.index));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => go(player.index));
}
start();
