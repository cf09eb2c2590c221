/** What a session key is given unless the player chooses otherwise. */
/** In seconds. */
export const DAY = 86_400;
export const DEFAULT_DAYS = 7;
/** In wei: 0.05 ether. */
export const DEFAULT_GAS_MONEY = 5n * 10n ** 16n;
