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
 */
import { nameErrors } from '../errors';

export class BattleshipError extends Error {}

export class RuleError extends BattleshipError {}
export class MalformedText extends RuleError {}
export class IllegalSize extends RuleError {}
export class IllegalFleet extends RuleError {}
export class ShipOffBoard extends IllegalFleet {}
export class ShipsOverlap extends IllegalFleet {}
export class WrongFleet extends IllegalFleet {}
export class IllegalAttack extends RuleError {}
export class GameFinished extends IllegalAttack {}
export class OutOfRange extends IllegalAttack {}
export class AlreadyFired extends IllegalAttack {}
export class AnswerNeeded extends RuleError {}
export class ImpossibleAnswer extends RuleError {}

export class CommitmentError extends BattleshipError {}
export class MalformedPlacement extends CommitmentError {}
export class PlacementLost extends CommitmentError {}
export class NothingToAnswer extends BattleshipError {}

nameErrors({
  BattleshipError,
  RuleError,
  MalformedText,
  IllegalSize,
  IllegalFleet,
  ShipOffBoard,
  ShipsOverlap,
  WrongFleet,
  IllegalAttack,
  GameFinished,
  OutOfRange,
  AlreadyFired,
  AnswerNeeded,
  ImpossibleAnswer,
  CommitmentError,
  MalformedPlacement,
  PlacementLost,
  NothingToAnswer,
});
