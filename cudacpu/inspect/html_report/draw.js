/* draw.js - memory as a picture: a cell for each element of a matrix, or for each word in rows of 32
 * banks; what the lanes of a step access, and the sectors or banks that it costs. */
'use strict';

const LINE = 128, SECTOR = 32, WORD = 4, MOST_ROWS = 256, MOST_COLUMNS = 256;

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
function laneColour(lane) { return `hsl(${Math.round(lane * 360 / 32)} 75% ${colour('--lane-light')})`; }

/* How a memory is laid out: rows of bytes from an offset, cells of some bytes. Of a long memory only
 * the lines of 128 bytes that these offsets touch are rows. */
function layoutOf(memory, offsets) {
    const row = rowBytes(memory);
    if (row && row <= MOST_COLUMNS * memory.element && memory.bytes / row <= MOST_ROWS) {
        const rows = Math.ceil(memory.bytes / row);
        return {rows: Array.from({length: rows}, (_, i) => i * row), bytes: row, cell: memory.element,
            used: memory.pitch ? memory.width : row};
    }
    const first = Math.floor(memory.lowest / LINE), last = Math.floor(memory.highest / LINE);
    let lines = Array.from({length: Math.min(last - first + 1, MOST_ROWS + 1)}, (_, i) => first + i);
    if (last - first >= MOST_ROWS)
        lines = [...new Set(offsets.map(o => Math.floor(o / LINE)))].sort((a, b) => a - b).slice(0, MOST_ROWS);
    return {rows: lines.map(l => l * LINE), bytes: LINE, cell: Math.min(WORD, memory.element), used: LINE,
        part: last - first >= MOST_ROWS};
}

/* The sectors of global memory that a step touches, by number; the words of each bank. */
function sectorsOf(s) {
    const sectors = new Set();
    for (const l of s.lanes)
        for (const end of [l.offset, l.offset + s.size - 1]) sectors.add(Math.floor(end / SECTOR));
    return [...sectors].sort((a, b) => a - b);
}
function banksOf(s) {
    const words = Array.from({length: 32}, () => new Set());
    for (const l of s.lanes)
        for (let o = l.offset; o < l.offset + s.size; o += WORD)
            words[(Math.floor(o / WORD) + s.memory.bank) % 32].add(Math.floor(o / WORD));
    return words.map(w => w.size);
}

/* Bytes that a step reads or writes in a memory: [{offset, bytes, lane}]. */
function rangesOf(s, recording, memory) {
    const n = s.numbers, other = /^bulk (load|store)$/.test(s.kind) && recording.memories[n[1]] === memory;
    if (other) return [{offset: n[2], bytes: n[0], lane: s.lanes[0].lane}];
    if (s.memory !== memory) return [];
    const bytes = /^bulk/.test(s.kind) ? n[0] : s.size || WORD;
    return s.lanes.map(l => ({offset: l.offset, bytes, lane: l.lane}));
}

class Picture {
    constructor(recording, memory, parent) {
        this.recording = recording, this.memory = memory;
        this.figure = parent.appendChild(document.createElement('figure'));
        this.caption = this.figure.appendChild(document.createElement('figcaption'));
        this.canvas = this.figure.appendChild(document.createElement('canvas'));
        this.seen = new Set();
        this.seenTo = 0;
    }
    /* The words that the warp has touched before this step. */
    look(steps, index) {
        if (index < this.seenTo) this.seen = new Set(), this.seenTo = 0;
        for (; this.seenTo < index; this.seenTo++)
            for (const r of rangesOf(steps[this.seenTo], this.recording, this.memory))
                for (let o = r.offset; o < r.offset + r.bytes; o += WORD) this.seen.add(Math.floor(o / WORD));
    }
    draw(steps, index, pending) {
        const s = steps[index], memory = this.memory;
        const now = rangesOf(s, this.recording, memory);
        const coming = pending.flatMap(p => p.step === s ? [] : rangesOf(p.step, this.recording, memory));
        if (now.length) this.last = now;
        const used = [...(now.length ? now : this.last || []), ...coming];
        const layout = layoutOf(memory, used.flatMap(r => [r.offset, r.offset + r.bytes - 1]));
        this.look(steps, index);
        this.size(layout);
        this.cells(layout);
        const paint = (ranges, how) => ranges.forEach(r => this.paint(layout, r.offset, r.bytes, how(r)));
        if (now.length && !memory.shared && ACCESSES.includes(s.kind))
            for (const sector of sectorsOf(s)) this.paint(layout, sector * SECTOR, SECTOR, colour('--sector'));
        paint(coming, () => colour('--coming'));
        paint(now, r => s.kind === 'fault' ? colour('--fault') : laneColour(r.lane));
        if (memory.shared) this.banks(s, now.length && ACCESSES.includes(s.kind));
        this.say(s, now, coming, layout);
    }
    size(layout) {
        const width = this.figure.clientWidth, columns = Math.ceil(layout.used / layout.cell);
        this.x = Math.max(1, Math.min(14, Math.floor(width / columns)));
        if (this.x === 1) this.x = Math.min(14, width / columns);
        const high = 320 / Math.max(1, layout.rows.length);
        this.y = Math.max(1, Math.min(this.x, high > 2 ? Math.floor(high) : high));
        this.top = this.memory.shared ? 14 : 0;
        const wide = columns * this.x, tall = this.top + Math.max(1, layout.rows.length) * this.y;
        const scale = window.devicePixelRatio || 1;
        this.canvas.width = Math.ceil(wide * scale), this.canvas.height = Math.ceil(tall * scale);
        this.canvas.style.width = wide + 'px', this.canvas.style.height = tall + 'px';
        this.pen = this.canvas.getContext('2d');
        this.pen.scale(scale, scale);
    }
    cells(layout) {
        const pen = this.pen, gap = this.x >= 5 && this.y >= 4 ? 1 : 0;
        this.gap = gap;
        const columns = Math.ceil(layout.used / layout.cell), blank = colour('--cell'), seen = colour('--seen');
        layout.rows.forEach((from, y) => {
            for (let x = 0; x < columns; x++) {
                const offset = from + x * layout.cell;
                pen.fillStyle = this.seen.has(Math.floor(offset / WORD)) ? seen : blank;
                pen.fillRect(x * this.x, this.top + y * this.y, this.x - gap, this.y - gap);
            }
        });
    }
    paint(layout, offset, bytes, style) {
        this.pen.fillStyle = style;
        layout.rows.forEach((from, y) => {
            const begin = Math.max(offset, from), end = Math.min(offset + bytes, from + layout.used);
            for (let o = begin - (begin - from) % layout.cell; o < end; o += layout.cell)
                this.pen.fillRect((o - from) / layout.cell * this.x, this.top + y * this.y, this.x - this.gap, this.y - this.gap);
        });
    }
    /* Lamps above the columns of shared memory: how many words of each bank the request wants. */
    banks(s, lit) {
        const wanted = lit ? banksOf(s) : [];
        for (let bank = 0; bank < 32; bank++) {
            const column = (bank - this.memory.bank + 32) % 32, words = wanted[bank] || 0;
            this.pen.fillStyle = colour(words > 1 ? '--fault' : words ? '--lamp' : '--cell');
            this.pen.fillRect(column * this.x, 2, this.x - 1, 8);
        }
    }
    say(s, now, coming, layout) {
        const memory = this.memory, access = now.length && ACCESSES.includes(s.kind);
        const shape = memory.shared ? 'rows of 32 banks' : layout.bytes === LINE && !rowBytes(memory)
            ? 'rows of 128 bytes' : `${layout.rows.length} x ${Math.ceil(layout.used / layout.cell)} elements of ${layout.cell} bytes`;
        const lit = !access ? '' : memory.shared
            ? `: ${count(banksOf(s).filter(Boolean).length, 'bank')} lit` : `: ${count(sectorsOf(s).length, 'sector')} lit`;
        const names = memory.variables.map(([name]) => name).join(', ');
        this.caption.textContent = `${memory.name}${names && ` (${names})`}, ${shape}${layout.part ? ', of which those in use now' : ''}${lit}`
            + (coming.length ? `; ${count(coming.reduce((sum, r) => sum + r.bytes, 0), 'byte')} on their way` : '');
        this.figure.dataset.memory = memory.name;
        this.figure.dataset.sectors = access && !memory.shared ? sectorsOf(s).join() : '';
        this.figure.dataset.banks = access && memory.shared ? banksOf(s).join() : '';
    }
}
