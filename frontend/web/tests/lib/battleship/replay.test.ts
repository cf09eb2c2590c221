// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { parseFleet } from '../../../src/lib/battleship/fleets';
import { asKnown, frames, revealedFleet } from '../../../src/lib/battleship/frames';
import { dueIn, replay } from '../../../src/lib/battleship/replay';
import { type State, shotText, view } from '../../../src/lib/battleship/rules';
import { RecordInvalid, SEATS } from '../../../src/lib/events';
import { eventsOf, GAMES } from './games';

describe.each(GAMES)('$name', (game) => {
  const events = eventsOf(game.events);
  const seen = frames(events);

  test('the events lead to the recorded end', () => {
    const end = replay(events);
    expect(end.fired.map(({ seat, shot }) => [seat, shotText(shot)])).toEqual(game.shots);
    expect(String(end.state)).toBe(game.position);
    const due = dueIn(end);
    expect(due && [due.seat, due.cell]).toEqual(game.due);
    expect(end.beneficiary).toBe(game.beneficiary);
    expect(end.result).toEqual(game.result);
  });

  test('there is one frame for each event', () => {
    expect(seen.map((frame) => frame.event)).toEqual(events);
    const answers = seen.filter((frame) => frame.answer);
    expect(answers.map(({ seat, event }) => [seat, event.name])).toEqual(
      game.shots.map(([seat]) => [1 - seat, 'ShotAnswered']),
    );
    const fired = seen.filter(({ event }) => event.name === 'ShotFired');
    expect(fired.every(({ attack, answer }) => attack && !answer)).toBe(true);
  });

  test('the public sees a fleet from its reveal on', () => {
    for (const { game: shown } of seen) {
      for (const seat of SEATS) {
        const fleet = shown.state?.boards[seat].fleet ?? null;
        expect(Boolean(fleet)).toBe(shown.state !== null && shown.revealed[seat] !== undefined);
        if (fleet) expect(fleet).toEqual(revealedFleet(shown, seat));
      }
    }
  });

  test.each(SEATS)('seat %d knew their own fleet from the start, and nothing more', (seat) => {
    const fleet = parseFleet(game.fleets[seat]);
    const known = asKnown(seen, seat, fleet);
    const hidden = seen.filter(({ game }) => !Object.keys(game.revealed).length).length;
    known.slice(0, hidden).forEach(({ game }, at) => {
      if (!game.state) return;
      expect(game.state.boards[seat].fleet).toEqual(fleet);
      expect(game.state.boards[seat === 0 ? 1 : 0].fleet).toBeNull();
      const shown = seen[at]?.game.state as State;
      expect(String(view(game.state, null))).toBe(String(view(shown, null)));
    });
  });
});

describe('a draw', () => {
  type Event = Parameters<typeof eventsOf>[0][number];
  const { events } = GAMES[0] as (typeof GAMES)[number];
  const begun = events.slice(0, events.findIndex(([name]) => name === 'FirstSeatDrawn') + 1);
  const [, { seat: first }, place] = begun.at(-1) as Event;
  const offer = (seat: number): Event => ['DrawOffered', { seat, moveNumber: 0 }, place];
  const shot: Event = ['ShotFired', { seat: first, cell: 0 }, place];
  const end: Event = [
    'GameEnded',
    { outcome: 2, winners: 0, amounts: ['1', '1'], rake: '0' },
    place,
  ];
  const played = (told: readonly Event[]) => replay(eventsOf([...begun, ...told]));

  test('ends a game that both offered it for', () => {
    const { ending, result } = played([shot, offer(0), offer(1), end]);
    expect([ending, result]).toEqual(['drawn', null]);
  });

  test.each([
    ['nobody', [end]],
    ['one seat alone', [offer(0), end]],
    ['one seat twice', [offer(0), offer(0), end]],
    ['one seat before a move, and the other after it,', [offer(0), shot, offer(1), end]],
  ])('that %s offered is refused', (_who, told) => {
    expect(() => played(told)).toThrow(RecordInvalid);
  });
});
