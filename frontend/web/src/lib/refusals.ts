/** Why a record is not valid, as its reader is told. */
import type { Refusal } from './api';
import { isKey, t } from './i18n';

/** In the player's language; in English where the server gives a code that this page does not know. */
export function refusalText({ code, parameters, message }: Refusal): string {
  const key = `refusal.${code}`;
  return isKey(key) ? t(key, parameters) : message;
}
