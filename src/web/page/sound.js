// Short sounds. A browser plays them only after a click or a key on the page.

// Hertz and seconds.
const TICK = [660, 0.06];
const TIME_UP = [330, 0.5];

const VOLUME = 0.2;

let context = null;

function play([pitch, length]) {
  context ??= new AudioContext();
  const [oscillator, gain] = [context.createOscillator(), context.createGain()];
  const end = context.currentTime + length;
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(VOLUME, context.currentTime);
  // A tone that ends at full volume makes a click.
  gain.gain.linearRampToValueAtTime(0, end);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start();
  oscillator.stop(end);
}

export const playTick = () => play(TICK);
export const playTimeUp = () => play(TIME_UP);
