/* Sounds and vibration, made by the page itself: a pencil, a card, a tile, a line that is complete,
 * your turn. Loaded when somebody has switched them on. */
import {settings} from '../store/store.js';

const VIBRATION = {done: [30, 60, 30], turn: [40]}; /* milliseconds: on, off, on */

let context = null;
let hiss = null; /* a second of noise */

/* Makes sounds possible: browsers want it at the end of a tap, or during a key. */
export function prime() {
    if (!settings.get('sound')) {
        return;
    }
    context ??= new AudioContext();
    context.resume();
    if (!hiss) {
        hiss = context.createBuffer(1, context.sampleRate, context.sampleRate);
        const samples = hiss.getChannelData(0);
        for (let i = 0; i < samples.length; i++) {
            samples[i] = Math.random() * 2 - 1;
        }
    }
}

/* From `from` on, as loud as `gain` and then softer for `time` seconds. */
function fading(source, from, time, gain) {
    const volume = context.createGain();
    const at = context.currentTime + from;
    volume.gain.setValueAtTime(gain, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + time);
    source.connect(volume).connect(context.destination);
    return at;
}

function noise(from, time, gain, frequency) {
    const source = context.createBufferSource();
    const filter = context.createBiquadFilter();
    source.buffer = hiss;
    filter.type = 'bandpass';
    filter.frequency.value = frequency;
    source.connect(filter);
    source.start(fading(filter, from, time, gain), Math.random() / 2, time);
}

function tone(from, time, gain, frequency) {
    const source = context.createOscillator();
    source.type = 'triangle';
    source.frequency.value = frequency;
    const at = fading(source, from, time, gain);
    source.start(at);
    source.stop(at + time);
}

const SOUNDS = {
    pencil: () => [0, 0.09, 0.18].forEach((from) => noise(from, 0.08, 0.25, 3200)),
    card: () => noise(0, 0.16, 0.3, 1400),
    tile: () => {
        tone(0, 0.09, 0.4, 130);
        noise(0, 0.04, 0.3, 900);
    },
    done: () => [523, 659, 784].forEach((frequency, i) => tone(i * 0.11, 0.35, 0.2, frequency)),
    turn: () => tone(0, 0.25, 0.15, 880),
};

export function sound(name) {
    if (settings.get('sound') && context?.state === 'running') {
        SOUNDS[name]?.();
    }
    if (settings.get('vibration') && VIBRATION[name]) {
        navigator.vibrate?.(VIBRATION[name]);
    }
}
