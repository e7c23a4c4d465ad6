/** Removes secrets from text that leaves this program: those known by value, and texts that look like one. */

import type { EnvironmentVariables } from "./environment-variables.ts";
import { attempt } from "./expected.ts";

/** Returns the text with each secret replaced, in linear time for any input. */
export type Redact = (text: string) => string;

export const redactedMark = "[redacted]";

/** Shorter values occur in too many innocent words. */
const shortestSecret = 6;

/** `secrets`: values that are also recognised URL-encoded, JSON-escaped and in base64. */
export function redactor(secrets: Iterable<string> = []): Redact {
  const known = new Set([...secrets].flatMap(formsOf));
  if (known.size === 0) return redactPatterns;
  const longestFirst = [...known].toSorted((one, other) => other.length - one.length);
  const values = new RegExp(longestFirst.map(escapePattern).join("|"), "g");
  return (text) => redactPatterns(text.replaceAll(values, redactedMark));
}

/** Serialises a value with all its texts and keys redacted, for a sink that writes lines. */
export function redactedJson(value: unknown, redact: Redact): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === "string") return redact(one);
    if (typeof one !== "object" || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [redact(name), member]));
  });
}

/** How a value may be written: as it is, by lines, JSON-escaped, URL-encoded, in base64. */
export function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/u).map((line) => line.trim());
  const values = lines.length > 1 ? [secret, ...lines.filter(({ length }) => length >= 16)] : [secret.trim()];
  return values.filter(({ length }) => length >= shortestSecret).flatMap(writtenAs);
}

const writtenAs = (value: string): string[] => {
  const base64 = Buffer.from(value).toString("base64").replace(/=+$/u, "");
  const encoded = encodeURIComponent(value.toWellFormed());
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encoded,
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
  ];
};

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`);

/**
 * Each pattern starts only where none of its own characters precede, so that no text is scanned twice. `$1` and `$2`
 * are kept: the text that the secret belongs to.
 */
const patterns: readonly (readonly [looks: RegExp, becomes: string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    redactedMark,
  ],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, redactedMark],
  [
    /(?<![\w-])(?:sk|pk|rk|xai|gsk|hf|r8|whsec|npm|pypi|shpat|dop_v1|sbp|glsa|dckr_pat|nvapi|pplx|lin_api|ntn|figd|atlasv1|hvs|tvly|fly|dp\.pt|rpa|vc[pk])[-_.](?=[\w-]*\d)[\w-]{16,}/g,
    redactedMark,
  ],
  [/(?<![\w-])(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-|ya29\.|AGE-SECRET-KEY-)[\w.-]{10,}/g, redactedMark],
  [/(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g, redactedMark],
  [/(?<![\w-])AIza[\w-]{30,}/g, redactedMark],
  [/(?<![\w.-])SG\.[\w-]{16,}\.[\w-]{16,}/g, redactedMark],
  [/(?<!\w)(bearer|basic)(\s{1,4})(?=[a-z]*[^a-z\s])[\w.~+/=-]{8,}/gi, `$1$2${redactedMark}`],
  [
    /(?<![\w-])((?:proxy-)?authorization|(?:x-)?api-key|x-goog-api-key|(?:set-)?cookie)(["']?\s{0,4}[:=]\s{0,4}["']?)[^\r\n"']+/gi,
    `$1$2${redactedMark}`,
  ],
  [/([a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/]{0,100}:)[^\s@/]{1,300}@/gi, `$1${redactedMark}@`],
  [
    /(?<![a-z\d])((?:account|sharedaccess|access)(?:key|signature)=|pwd=|password=)(?!\/)[^\s;"']{4,}/gi,
    `$1${redactedMark}`,
  ],
  [/([?&](?:key|sig|signature|code|access_token|token)=)[^\s&#"']{6,}/gi, `$1${redactedMark}`],
  [
    /(?<![a-z\d])((?:[a-z\d]{1,20}[_-]){0,4}(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credentials?)(?:[_-][a-z\d]{1,20})?)(["']?\s{0,3}[=:]\s{0,3}["']?)(?!\d+\b|\[redacted\])[^\s"',;&]{6,}/gi,
    `$1$2${redactedMark}`,
  ],
];

function redactPatterns(text: string): string {
  let rest = text;
  for (const [looks, becomes] of patterns) rest = rest.replaceAll(looks, becomes);
  return rest;
}

const secretName =
  /(?:^|_)(?:pat|pwd|pass|dsn|sid|otp|jwt|pin|cert|key|keys)(?:_|$)|api_?key|access_?key|private|secret|token|passw|passphrase|credential|(?:^|_)auth(?!or)|cookie|signature|session_?key|webhook|connection_?string|_conn_str/i;

/** Letters of both cases and digits, long, without a word or a path in it: machine-made. */
const looksMade = (value: string): boolean =>
  /^[\w+/=.~:-]{20,200}$/u.test(value) &&
  /\d.*\d/u.test(value) &&
  /[a-z]/u.test(value) &&
  /[A-Z]/u.test(value) &&
  !value.startsWith("/");

const numberOrWord =
  /^(?:[+-]?[\d.:,_-]+[a-z%]{0,3}|v?\d+(?:\.\d+)+[\w.+-]*|[a-z]{1,16}(?:[ ,_-][a-z]{1,16}){0,8})$/iu;
const place = /^(?:~|\.{1,2})?\/[^\s]*$|^[a-z][a-z\d+.-]*:\/\/\S+$/iu;

/** Positively known to be none: a number, a version, plain words, a path or an address without a login. */
export const isHarmlessValue = (value: string): boolean =>
  value.length < shortestSecret || ((numberOrWord.test(value) || place.test(value)) && !holdsSecret(value));

/** Whether a value is a secret by its look: known prefixes, logins in addresses, machine-made words. */
export function holdsSecret(value: string): boolean {
  if (redactPatterns(value) !== value) return true;
  if (secretsInAddress(value).length > 0) return true;
  return looksMade(value) && !value.startsWith("-") && !/:\/\/|[a-z]{6}/u.test(value);
}

/**
 * From an address: the password, or a user name without one if long enough to be a token; query values whose name or
 * look is secret; machine-made parts of the path.
 */
export function secretsInAddress(text: string): string[] {
  if (!/^[a-z][\w+.-]*:\/\//iu.test(text) || !URL.canParse(text)) return [];
  const { username, password, pathname, searchParams } = new URL(text);
  const query = Object.fromEntries([...searchParams].map(([name, value]) => [`_${name}`, value]));
  const path = Object.fromEntries(pathname.split("/").map((part, at) => [`part${at}`, part]));
  const login = password === "" && username.length < leastToken ? [] : [password || username];
  return [...login, ...login.map(decodeUrl), ...secretValues({ ...query, ...path })];
}

/** An address that names the same place for whoever knows the password anyway. */
export function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.password = "";
  return url.href;
}

const leastToken = 16;

const decodeUrl = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;

/** Variables that hold a location. Every shell has `PWD`, and the paths of the workspace begin with it. */
const placeName = /^(?:OLD)?PWD$|_(?:FILE|DIR|PATH|BUNDLE|CERTS?)$/iu;

/** The values of variables whose name or value marks them as secret, and the passwords in URLs. */
export function secretValues(env: EnvironmentVariables): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (value.length < shortestSecret || (placeName.test(name) && value.startsWith("/"))) return [];
    const isSecret = secretName.test(name) || looksMade(value) || redactPatterns(value) !== value;
    return isSecret ? [value, ...passwordIn(value)] : [];
  });
}

/** The password in "https://user:password@host", both as written and decoded. */
function passwordIn(value: string): string[] {
  const found = /^[a-z][a-z\d+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/iu.exec(value)?.[1];
  if (found === undefined) return [];
  return attempt(() => [found, decodeURIComponent(found)]) ?? [found];
}
