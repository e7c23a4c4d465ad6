/**
 * Variables whose values are nobody's business, by their names: asked about where they are shown, withheld in the
 * sandbox.
 */

const parts = /(?:token|secrets?|credentials?)(?:_|$)|passw|passphrase|(?:api|private|access)_?key|^pgpass/iu;
const endings = /_(?:key|pat|pass|pwd|auth)$/iu;

export const isSecretVariable = (name: string): boolean => parts.test(name) || endings.test(name);
