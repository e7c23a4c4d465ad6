/** Names of models as patterns: a family's versions from one on, however a server spells them. */

/** One pattern of several, which ignores case. */
export const namesOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"), "i");

/**
 * A family's name, then a version from `least` ("3.5") on: a later version follows the newest that is known. Written
 * `qwen3.6`, `Qwen-3.6`, `qwen-v3p6`; a number that is a size (`qwen-7b`) is no version.
 */
export function since(name: string, least: `${number}`): string {
  const [major = 0, minor = 0] = least.split(".").map(Number);
  const later = [`[${major + 1}-9]`, "[1-9]\\d(?!\\d)"];
  const same = minor === 0 ? `${major}` : `${major}[.p](?:[${minor}-9]|[1-9]\\d)`;
  return `${name}[-_ ]?v?(?:${[same, ...later].join("|")})(?![\\d.]*[bm](?![a-z]))`;
}
