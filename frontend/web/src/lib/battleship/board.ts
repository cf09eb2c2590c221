/** One player's waters, the shots at it and what its owner answers; shot: `12-`, `13+`, `14+CR`. */
import { AnswerNeeded, ImpossibleAnswer, MalformedText } from './errors';
import { type Fleet, fleetCells, type Kind, kindCode, kinds, parseKind, shipCells } from './fleets';

/** What the owner of a board says to a shot. */
export interface Answer {
  readonly hit: boolean;
  readonly sunk: Kind | null;
}

export const MISS: Answer = { hit: false, sunk: null };

export function hit(sunk: Kind | null = null): Answer {
  return { hit: true, sunk };
}

/** Throws ImpossibleAnswer: a miss sinks nothing. */
export function checkAnswer(answer: Answer): Answer {
  if (answer.sunk && !answer.hit) throw new ImpossibleAnswer('a miss sinks nothing');
  return answer;
}

export function sameAnswer(one: Answer, two: Answer): boolean {
  return one.hit === two.hit && one.sunk === two.sunk;
}

/** A shot at a board and its answer. */
export interface Shot {
  readonly cell: number;
  readonly answer: Answer;
}

export function shotText({ cell, answer }: Shot): string {
  return `${cell}${answer.hit ? '+' : '-'}${answer.sunk ? kindCode(answer.sunk) : ''}`;
}

/** The inverse of `shotText`. Throws MalformedText. */
export function parseShot(text: string): Shot {
  const match = /^(\d{1,3})(?:(-)|\+([A-Z]{2})?)$/.exec(text);
  if (!match) throw new MalformedText(`not a shot: ${text} (like 12-, 13+, 14+CR)`);
  const [, cell, missed, sunk] = match;
  if (missed) return { cell: Number(cell), answer: MISS };
  return { cell: Number(cell), answer: hit(sunk ? parseKind(sunk) : null) };
}

/** `fleet` is null where it is hidden; `shots`: oldest first. */
export class Board {
  constructor(
    readonly size: number,
    readonly fleet: Fleet | null = null,
    readonly shots: readonly Shot[] = [],
  ) {}

  /** The cells shot at. */
  get fired(): ReadonlySet<number> {
    return new Set(this.shots.map((shot) => shot.cell));
  }

  get hits(): ReadonlySet<number> {
    return new Set(this.shots.filter((shot) => shot.answer.hit).map((shot) => shot.cell));
  }

  /** The kinds said to be sunk, in order. */
  get sunk(): readonly Kind[] {
    return this.shots.flatMap((shot) => shot.answer.sunk ?? []);
  }

  /** The kinds not yet said to be sunk, longest first. */
  get afloat(): readonly Kind[] {
    const sunk = [...this.sunk];
    return kinds(this.size).filter((kind) => {
      const at = sunk.indexOf(kind);
      if (at >= 0) sunk.splice(at, 1);
      return at < 0;
    });
  }

  /** Every fleet cell was hit, or every cell shot at (so few ships gain nothing). */
  get beaten(): boolean {
    return this.hits.size === fleetCells(this.size) || this.shots.length === this.size ** 2;
  }

  /** The true answer to a shot at `cell`. Throws AnswerNeeded where the fleet is hidden. */
  answer(cell: number): Answer {
    if (!this.fleet) throw new AnswerNeeded(`cell ${cell} of a hidden board`);
    const hits = this.hits;
    for (const ship of this.fleet) {
      const cells = shipCells(ship, this.size);
      if (!cells.includes(cell)) continue;
      return hit(cells.every((each) => each === cell || hits.has(each)) ? ship.kind : null);
    }
    return MISS;
  }

  /** This board after one more shot. */
  struck(cell: number, answer: Answer): Board {
    return new Board(this.size, this.fleet, [...this.shots, { cell, answer }]);
  }

  withFleet(fleet: Fleet | null): Board {
    return new Board(this.size, fleet, this.shots);
  }
}
