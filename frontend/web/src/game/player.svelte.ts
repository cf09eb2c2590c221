/** Steps through the frames of a finished, or running, game. */

/** As the public saw it, or as a seat's player did. */
export type Viewer = 'public' | '0' | '1';

export const SPEEDS = [0.5, 1, 2, 4] as const;
type Speed = (typeof SPEEDS)[number];
const PAUSE = 1_200;

export class Player {
  /** The frame that is shown. */
  at = $state(0);
  playing = $state(false);
  speed = $state<Speed>(1);
  /** Whether the last step was one forward: then it is seen happening. */
  forward = $state(false);

  constructor(readonly length: () => number) {}

  get last(): number {
    return Math.max(this.length() - 1, 0);
  }

  /** To be called while a component, or an effect root, is set up. */
  watch(): void {
    $effect(() => {
      if (!this.playing) return;
      if (this.at >= this.last) {
        this.playing = false;
        return;
      }
      const timer = setTimeout(() => this.#show(this.at + 1), PAUSE / this.speed);
      return () => clearTimeout(timer);
    });
  }

  /** Show frame `index`, and stop playing. */
  go(index: number): void {
    this.playing = false;
    this.#show(index);
  }

  step(by: number): void {
    this.go(this.at + by);
  }

  /** Play, from the start where all was shown; or pause. */
  toggle(): void {
    if (!this.playing && this.at >= this.last) this.#show(0);
    this.playing = !this.playing;
  }

  faster(by: 1 | -1): void {
    const index = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[index] ?? this.speed;
  }

  /** The next speed, and after the last the first. */
  nextSpeed(): void {
    const index = SPEEDS.indexOf(this.speed) + 1;
    this.speed = SPEEDS[index % SPEEDS.length] ?? 1;
  }

  /** Act on a key; whether it was one of the player's. */
  press(key: string): boolean {
    const act = KEYS[key];
    act?.(this);
    return act !== undefined;
  }

  #show(index: number): void {
    const next = Math.min(Math.max(index, 0), this.last);
    this.forward = next === this.at + 1;
    this.at = next;
  }
}

const KEYS: Readonly<Record<string, (player: Player) => void>> = {
  ArrowLeft: (player) => player.step(-1),
  ArrowRight: (player) => player.step(1),
  Home: (player) => player.go(0),
  End: (player) => player.go(player.last),
  ' ': (player) => player.toggle(),
  '+': (player) => player.faster(1),
  '-': (player) => player.faster(-1),
};
