/** Long enough for a browser to have begun the download. */
const HELD = 10_000;

/** Let the player's browser save `text`, which is JSON, as a file of that name. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), HELD);
}
