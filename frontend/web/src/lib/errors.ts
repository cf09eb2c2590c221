/**
 * Gives the errors of each class its key as their `name`: a bundler renames classes, but not keys.
 * To be called once for a tree of classes, below them.
 */
export function nameErrors(classes: Readonly<Record<string, { readonly prototype: Error }>>): void {
  for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;
}
