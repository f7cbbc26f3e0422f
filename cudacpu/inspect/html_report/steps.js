/* steps.js - the trace as it stands in the page, and what has happened up to a step. */
'use strict';

const trace = JSON.parse(document.getElementById('trace').textContent);
const ACCESSES = ['load', 'store', 'atomic', 'copy reads', 'copy writes'];

/* A step of a warp, from its numbers in the trace. */
function decodeStep(recording, raw, line) {
    const [kind, file, itsLine, size] = recording.places[raw[0]];
    const [mask, offsets] = recording.patterns[raw[1] || 0];
    const text = typeof raw[raw.length - 1] === 'string' ? raw[raw.length - 1] : '';
    const numbers = raw.slice(7, text ? -1 : undefined);
    const at = i => typeof raw[i] === 'number' ? raw[i] : 0;
    const lanes = [];
    for (let lane = 0; lane < 32; lane++)
        if (mask >>> lane & 1) {
            const i = lanes.length;
            lanes.push({lane, offset: at(3) + (Array.isArray(offsets) ? offsets[i] : offsets * i)});
        }
    return {
        kind, file: file || line.file, line: itsLine || line.line, size, lanes, text,
        memory: at(2) < 0 ? null : recording.memories[at(2)], cost: at(4), extra: at(5),
        moment: at(6), numbers: [0, 1, 2, 3, 4].map(i => numbers[i] || 0)
    };
}

/* All steps of a warp; a step whose line is not known has that of the step before. */
function stepsOf(recording, warp) {
    const own = recording.warps[warp];
    if (!own.decoded) {
        let last = {file: '', line: 0};
        own.decoded = own.steps.map(raw => last = decodeStep(recording, raw, last));
    }
    return own.decoded;
}

/* ---- counts ---- */

const COUNTS = [
    ['global loads, words', s => isGlobal(s, 'load') && wordsOf(s), k => k.global.load.words],
    ['global loads, requests', s => isGlobal(s, 'load') && 1, k => k.global.load.requests],
    ['global loads, sectors', s => isGlobal(s, 'load') && s.cost, k => k.global.load.sectors],
    ['global stores, requests', s => isGlobal(s, 'store') && 1, k => k.global.store.requests],
    ['global stores, sectors', s => isGlobal(s, 'store') && s.cost, k => k.global.store.sectors],
    ['global atomics, requests', s => isGlobal(s, 'atomic') && 1, k => k.global.atomic.requests],
    ['shared loads, requests', s => isShared(s, 'load') && 1, k => k.shared.load.requests],
    ['shared loads, wavefronts', s => isShared(s, 'load') && s.cost, k => k.shared.load.wavefronts],
    ['shared loads, conflicts', s => isShared(s, 'load') && s.extra, k => k.shared.load.conflicts],
    ['shared stores, wavefronts', s => isShared(s, 'store') && s.cost, k => k.shared.store.wavefronts],
    ['shared stores, conflicts', s => isShared(s, 'store') && s.extra, k => k.shared.store.conflicts],
    ['shared atomics, wavefronts', s => isShared(s, 'atomic') && s.cost, k => k.shared.atomic.wavefronts],
    ['barriers of the block', s => s.kind === 'barrier' && 1, k => k.barriers],
];

function accessOf(s) { return s.kind === 'copy reads' ? 'load' : s.kind === 'copy writes' ? 'store' : s.kind; }
function isGlobal(s, kind) { return accessOf(s) === kind && s.memory && !s.memory.shared; }
function isShared(s, kind) { return accessOf(s) === kind && s.memory && s.memory.shared; }
function wordsOf(s) { return s.lanes.length * Math.ceil(s.size / 4); }

function countSteps(steps, end) {
    const sums = COUNTS.map(() => 0);
    for (let i = 0; i < end; i++)
        COUNTS.forEach(([, of], c) => sums[c] += of(steps[i]) || 0);
    return sums;
}

/* ---- names of places in memory ---- */

/* Bytes of a row, where the memory is a matrix; else 0. */
function rowBytes(memory) {
    if (memory.shared) return 0;
    if (memory.pitch) return memory.pitch;
    return trace.n && memory.bytes === trace.n * trace.n * memory.element ? trace.n * memory.element : 0;
}

/* [16, 16] of float tile[TILE][TILE], as the source declares it, where that agrees with its bytes;
 * else []. */
function dimensionsOf(memory, variable) {
    const [name, , bytes] = variable;
    if (variable.dimensions) return variable.dimensions;
    const source = Object.values(trace.sources).join('\n');
    const value = text => +(/^\d+$/.test(text) ? text : (source.match(`\\b${text} = (\\d+)`) || [])[1]);
    const declared = source.match(`__shared__[^;]*\\b${name}((?:\\[\\w+\\])+)`);
    const found = declared ? declared[1].slice(1, -1).split('][').map(value) : [];
    const fits = found.reduce((a, b) => a * b, memory.element) === bytes;
    return variable.dimensions = fits ? found : [];
}

/* "[3][5]" in a matrix; "tile_a[2][3]" in shared memory; else "[35]". */
function nameOf(memory, offset) {
    const row = rowBytes(memory);
    if (row) {
        const inRow = offset % row, element = Math.floor(inRow / memory.element);
        return `[${Math.floor(offset / row)}][${element}]` + (memory.pitch && inRow >= memory.width ? ' padding' : '');
    }
    const variable = memory.variables.find(([, from, bytes]) => offset >= from && offset < from + bytes);
    if (!variable) return `[${Math.floor(offset / memory.element)}]`;
    let index = Math.floor((offset - variable[1]) / memory.element), text = '';
    for (const n of dimensionsOf(memory, variable).slice(1).reverse()) {
        text = `[${index % n}]${text}`;
        index = Math.floor(index / n);
    }
    return `${variable[0]}[${index}]${text}`;
}

function variablesOf(s) {
    const names = new Set(s.lanes.map(l => nameOf(s.memory, l.offset).replace(/\[.*/, '')));
    return [...names].filter(Boolean).join(' and ') || s.memory.name;
}

/* ---- what is on its way ---- */

/* Groups of one kind of operation: the open one, and those that are committed, oldest first. */
class Groups {
    constructor() { this.open = []; this.closed = []; }
    commit() { this.closed.push(this.open); this.open = []; }
    wait(newest, all) {
        this.closed.splice(0, Math.max(0, this.closed.length - newest));
        if (all) this.open = [];
    }
    pending(state) {
        return [...this.closed.flatMap((group, i) =>
            group.map(step => ({step, state: `group ${i + 1} of ${this.closed.length}, ${state}`}))),
        ...this.open.map(step => ({step, state: 'not yet in a group'}))];
    }
}

/* Bulk loads of the whole block that this warp cannot know to be done. */
function pendingLoads(recording, warp, steps, index) {
    const now = steps[index].moment;
    const all = recording.warps.flatMap((_, w) => stepsOf(recording, w));
    const passes = all.filter(s => s.kind === 'pass');
    const own = steps.filter(s => s.kind === 'pass');
    return all.filter(s => s.kind === 'bulk load' && s.moment <= now).filter(s => {
        const covers = p => p.numbers[1] === s.numbers[3] && p.numbers[0] >= s.numbers[4];
        return !(own.some(covers) ? own : passes).some(p => covers(p) && p.moment <= now);
    }).map(step => ({step, state: `until phase ${step.numbers[4]} of its mbarrier`}));
}

/* [{step, state}]: asynchronous copies, stores and wgmma that nobody has waited for by this step. */
function pendingAt(recording, warp, index) {
    const steps = stepsOf(recording, warp);
    const copies = new Groups(), stores = new Groups(), wgmma = new Groups();
    for (let i = 0; i <= index; i++) {
        const s = steps[i];
        if (s.kind === 'copy writes') copies.open.push(s);
        else if (s.kind === 'commit') copies.commit();
        else if (s.kind === 'wait') copies.wait(s.numbers[0], s.numbers[1]);
        else if (s.kind === 'bulk store') stores.open.push(s);
        else if (s.kind === 'bulk commit') stores.commit();
        else if (s.kind === 'bulk wait') stores.wait(s.numbers[0]);
        else if (s.kind === 'wgmma') wgmma.open.push(s);
        else if (s.kind === 'wgmma commit') wgmma.commit();
        else if (s.kind === 'wgmma wait') wgmma.wait(s.numbers[0]);
    }
    const loads = recording.places.some(p => p[0] === 'bulk load') ? pendingLoads(recording, warp, steps, index) : [];
    return [...copies.pending('not waited for'), ...loads, ...stores.pending('not waited for'),
        ...wgmma.pending('not waited for')];
}
