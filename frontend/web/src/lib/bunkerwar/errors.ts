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
 *
 * `name` is spelled out in each, since a bundler renames classes.
 */
export class RuleError extends Error {
  override readonly name: string = 'RuleError';
}
export class MalformedText extends RuleError {
  override readonly name = 'MalformedText';
}
export class IllegalBoard extends RuleError {
  override readonly name = 'IllegalBoard';
}
export class IllegalMove extends RuleError {
  override readonly name: string = 'IllegalMove';
}
export class GameFinished extends IllegalMove {
  override readonly name = 'GameFinished';
}
export class OutOfRange extends IllegalMove {
  override readonly name = 'OutOfRange';
}
export class CellOccupied extends IllegalMove {
  override readonly name = 'CellOccupied';
}
export class CellUnsupported extends IllegalMove {
  override readonly name = 'CellUnsupported';
}
export class MissileNotArmed extends IllegalMove {
  override readonly name = 'MissileNotArmed';
}
export class HiddenInformation extends RuleError {
  override readonly name = 'HiddenInformation';
}
export class ImpossibleStop extends RuleError {
  override readonly name = 'ImpossibleStop';
}
