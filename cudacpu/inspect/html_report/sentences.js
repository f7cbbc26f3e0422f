/* sentences.js - what a step does, in words. */
'use strict';

function count(n, one, many) { return n === 1 ? `1 ${one}` : `${n} ${many || one + 's'}`; }

function sentenceOfAccess(s) {
    const verb = {load: 'load', store: 'store', atomic: 'change'}[accessOf(s)];
    const lanes = count(s.lanes.length, 'lane');
    if (!s.memory) return `${lanes} ${verb} ${count(s.size, 'byte')} each of the program's variables`;
    const where = s.memory.shared ? variablesOf(s) : s.memory.name;
    const cost = s.memory.shared
        ? count(s.cost, 'wavefront') + ', ' + (s.extra ? count(s.extra, 'bank conflict') : 'no bank conflict')
        : count(s.cost, 'sector') + ' of 32 bytes in ' + count(s.extra, 'cache line');
    if (s.kind === 'copy reads')
        return `An asynchronous copy reads ${count(s.size, 'byte')} of ${where} for each of ${lanes}: ${cost}`;
    if (s.kind === 'copy writes')
        return `The copy is on its way to ${where}, ${count(s.size, 'byte')} for each of ${lanes}: ${cost} when it arrives`;
    const some = s.lanes.length === 1 ? `${lanes} ${verb}s` : `${lanes} ${verb}`;
    return `${some} ${count(s.size, 'byte')} each ${verb === 'load' ? 'from' : 'in'} ${where}: ${cost}`;
}

/* "tile_a[0][1] to tile_a[1][15]: ", what the lanes of a fault access; nothing where that is not known. */
function placeOfFault(s) {
    if (!s.memory || !s.lanes.length) return '';
    const names = [s.lanes[0], s.lanes[s.lanes.length - 1]].map(l => nameOf(s.memory, l.offset));
    const whole = names.map(name => name.startsWith('[') ? s.memory.name + name : name);
    return (whole[0] === whole[1] ? whole[0] : whole.join(' to ')) + ': ';
}

function sentenceOf(s, recording) {
    const n = s.numbers, memory = i => i < 0 ? 'memory' : recording.memories[i].name;
    const groups = n[0] === 0 ? 'for all groups' : `for all groups but the newest ${n[0]}`;
    switch (s.kind) {
    case 'commit': return 'The copies since the last commit are a group';
    case 'wait': return n[1] ? 'Waits for all copies of its own' : `Waits ${groups} of copies`;
    case 'bulk load': return `A bulk copy of ${n[0]} bytes from ${memory(n[1])} is on its way; an mbarrier counts its bytes in phase ${n[4]}`;
    case 'bulk store': return `A bulk copy of ${n[0]} bytes from shared memory to ${memory(n[1])} is on its way`;
    case 'bulk commit': return 'The bulk stores since the last commit are a group';
    case 'bulk wait': return `Waits ${groups} of bulk stores` + (n[1] ? ', until they are read' : '');
    case 'barrier': return `The barrier of the block: all ${recording.warps.length} warps have come, and go on`;
    case 'named barrier': return `Arrives at barrier ${n[0]} of the block`;
    case 'cluster arrive': return 'Arrives at the barrier of the cluster';
    case 'cluster wait': return 'All blocks of the cluster have arrived: goes on';
    case 'mbarrier init': return 'Initialises an mbarrier';
    case 'arrive': return `Arrives at an mbarrier, in phase ${n[0]}`;
    case 'expect': return `Announces ${n[0]} bytes to an mbarrier`;
    case 'pass': return n[0] < 0 ? 'Passes an mbarrier at once: it asks for the phase before the first'
        : `Phase ${n[0]} of an mbarrier is complete: goes on`;
    case 'proxy fence': return 'A fence: what was written is seen by the asynchronous proxy';
    case 'wgmma': return `wgmma: the warpgroup multiplies a tile of 64 rows by one of ${n[0]} columns, asynchronously`;
    case 'wgmma commit': return 'The wgmma since the last commit are a group';
    case 'wgmma wait': return `Waits ${groups} of wgmma`;
    case 'fault': return placeOfFault(s) + s.text + (s.lanes.length > 1 ? ` (${s.lanes.length} lanes)` : '');
    default: return sentenceOfAccess(s);
    }
}
