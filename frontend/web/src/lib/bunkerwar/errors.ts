/**
 * RuleError                 what the rules refuse; nothing has changed
 * ├── MalformedText         not the text form of a move, a board or a position
 * ├── IllegalBoard          lanes or depth out of range, or lanes of different depth
 * ├── IllegalMove
 * │   ├── GameFinished      every round has been played
 * │   ├── OutOfRange        no such lane or depth on this board
 * │   ├── CellOccupied      a building stands there already
 * │   ├── CellUnsupported   stacked: nothing stands below, and it is not depth 0
 * │   └── MissileNotArmed   a build is needed between two missiles
 * ├── HiddenInformation     the answer depends on cells that this view does not show
 * └── ImpossibleStop        a missile cannot have stopped there on this board
 */
import { nameErrors } from '../errors';

export class RuleError extends Error {}
export class MalformedText extends RuleError {}
export class IllegalBoard extends RuleError {}
export class IllegalMove extends RuleError {}
export class GameFinished extends IllegalMove {}
export class OutOfRange extends IllegalMove {}
export class CellOccupied extends IllegalMove {}
export class CellUnsupported extends IllegalMove {}
export class MissileNotArmed extends IllegalMove {}
export class HiddenInformation extends RuleError {}
export class ImpossibleStop extends RuleError {}

nameErrors({
  RuleError,
  MalformedText,
  IllegalBoard,
  IllegalMove,
  GameFinished,
  OutOfRange,
  CellOccupied,
  CellUnsupported,
  MissileNotArmed,
  HiddenInformation,
  ImpossibleStop,
});
