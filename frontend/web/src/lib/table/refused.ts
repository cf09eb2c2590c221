/** Why a sequence of events is refused: the codes of fogbound/reasons.py. */
import { RecordInvalid } from '../events';

export class Refused extends RecordInvalid {
  constructor(
    readonly code: string,
    readonly parameters: Readonly<Record<string, unknown>> = {},
  ) {
    super(code);
  }
}

export function refuse(code: string, parameters: Readonly<Record<string, unknown>> = {}): never {
  throw new Refused(code, parameters);
}

export function require(
  condition: boolean,
  code: string,
  parameters: Readonly<Record<string, unknown>> = {},
): asserts condition {
  if (!condition) refuse(code, parameters);
}
