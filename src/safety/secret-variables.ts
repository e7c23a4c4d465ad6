/**
 * Environment variables whose names mark their values as secret: showing one needs an approval, and the sandbox
 * withholds them.
 */

const parts = /(?:token|secrets?|credentials?)(?:_|$)|passw|passphrase|(?:api|private|access)_?key|^pgpass/iu;
const endings = /_(?:key|pat|pass|pwd|auth)$/iu;

export const isSecretVariable = (name: string): boolean => parts.test(name) || endings.test(name);
