/** Texts, numbers, amounts and times in the player's language. Reactive: read them in templates. */
export * from './format';
export {
  isKey,
  type Key,
  LANGUAGES,
  type Language,
  language,
  type Params,
  speak,
  t,
} from './messages.svelte';
