import { settings } from './settings.svelte';

/** Frequencies in Hz, played one after the other. */
const TUNES = {
  turn: [523, 784],
  place: [330],
  launch: [220, 294, 392],
  miss: [196],
  hit: [440, 220],
  won: [523, 659, 784, 1047],
  lost: [392, 330, 262],
} as const;
const NOTE = 0.13;
const VOLUME = 0.06;

let context: AudioContext | null = null;

/** Play a short tune, if the player wants sounds. Browsers allow it after the first click. */
export function play(tune: keyof typeof TUNES): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  for (const [index, pitch] of TUNES[tune].entries()) note(context, pitch, index * NOTE);
}

function note(audio: AudioContext, pitch: number, after: number): void {
  const start = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + NOTE * 1.8);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + NOTE * 2);
}
