/** The one place where the gateway's failures become errors. */
import { SERVICE_ERRORS, type ServiceError } from './errors';

const BY_LABEL: Readonly<Record<string, new (message: string) => ServiceError>> = SERVICE_ERRORS;

/** The error that the gateway wrote, or null where something else answered (a proxy, a rate limit). */
export function failureOf(body: unknown): ServiceError | null {
  const error = isRecord(body) ? body.error : null;
  if (!isRecord(error) || typeof error.label !== 'string' || !Object.hasOwn(BY_LABEL, error.label))
    return null;
  const Kind = BY_LABEL[error.label];
  return Kind ? new Kind(String(error.message)) : null;
}

/** Whether a value from JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
