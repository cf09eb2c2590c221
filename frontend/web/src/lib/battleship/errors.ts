/**
 * Every error of this folder; names and meanings are those of the Python package `battleship`.
 *
 * BattleshipError
 * ├── RuleError                what the rules refuse; nothing has changed
 * │   ├── MalformedText        not the text form of a ship, an attack, a shot or a position
 * │   ├── IllegalSize          no board of that size
 * │   ├── IllegalFleet
 * │   │   ├── ShipOffBoard     a part of the ship is not on the board
 * │   │   ├── ShipsOverlap     two ships share a cell
 * │   │   └── WrongFleet       not the ships of this size of board: some missing, or too many
 * │   ├── IllegalAttack
 * │   │   ├── GameFinished     the shooting is over
 * │   │   ├── OutOfRange       no such cell on this board
 * │   │   └── AlreadyFired     that cell was shot at before
 * │   ├── AnswerNeeded         the board shot at is hidden: its owner must answer
 * │   └── ImpossibleAnswer     contradicts the fleet, or says sunk without a hit
 * ├── CommitmentError
 * │   ├── MalformedPlacement   not the packed form of a fleet
 * │   └── PlacementLost        a sealed placement that these board keys do not open
 * └── NothingToAnswer          no shot at the own board waits for an answer
 *
 * `name` is spelled out in each, since a bundler renames classes.
 */
export class BattleshipError extends Error {
  override readonly name: string = 'BattleshipError';
}

export class RuleError extends BattleshipError {
  override readonly name: string = 'RuleError';
}
export class MalformedText extends RuleError {
  override readonly name = 'MalformedText';
}
export class IllegalSize extends RuleError {
  override readonly name = 'IllegalSize';
}
export class IllegalFleet extends RuleError {
  override readonly name: string = 'IllegalFleet';
}
export class ShipOffBoard extends IllegalFleet {
  override readonly name = 'ShipOffBoard';
}
export class ShipsOverlap extends IllegalFleet {
  override readonly name = 'ShipsOverlap';
}
export class WrongFleet extends IllegalFleet {
  override readonly name = 'WrongFleet';
}
export class IllegalAttack extends RuleError {
  override readonly name: string = 'IllegalAttack';
}
export class GameFinished extends IllegalAttack {
  override readonly name = 'GameFinished';
}
export class OutOfRange extends IllegalAttack {
  override readonly name = 'OutOfRange';
}
export class AlreadyFired extends IllegalAttack {
  override readonly name = 'AlreadyFired';
}
export class AnswerNeeded extends RuleError {
  override readonly name = 'AnswerNeeded';
}
export class ImpossibleAnswer extends RuleError {
  override readonly name = 'ImpossibleAnswer';
}

export class CommitmentError extends BattleshipError {
  override readonly name: string = 'CommitmentError';
}
export class MalformedPlacement extends CommitmentError {
  override readonly name = 'MalformedPlacement';
}
export class PlacementLost extends CommitmentError {
  override readonly name = 'PlacementLost';
}
export class NothingToAnswer extends BattleshipError {
  override readonly name = 'NothingToAnswer';
}
