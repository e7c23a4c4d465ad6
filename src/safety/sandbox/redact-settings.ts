/** Shows a settings file without its secrets: what is set by a telling name, and every value that is not plainly harmless. */

import { holdsSecret, isHarmlessValue } from "../../base/redact.ts";

/** Parts of a setting's name, wherever words begin in it: `npmAuthIdent`, `_authToken`, `BUNDLE_X_PW`, `ossrhPw`. */
const secretWords = new Set(
  `auth oauth oauth2 token tokens pat pw pwd pass passwd password passwords passphrase secret secrets credential
  credentials jwt bearer cookie cookies session sig signature ident dsn webhook sk apikey login identity license otp
  extraheader header headers proxyuser netrc ntlm sasl cert`.split(/\s+/u),
);
const secretNames =
  /(?:api|access|private|secret|account|master|encryption|storage|deploy|auth|service|shared)[_-]?keys?/iu;
const endings = /(?:pass|passw(?:or)?d|token|secret|apikey|pat|pwd?)$/iu;
/** Settings whose names only sound like that, and that change how a program works. */
const harmlessNames =
  /^(?:always-?auth|passive|session-?timeout|https?_?proxy_?tunnel|auth-?type|token_?(?:type|limit)|user-?agent)$/iu;

const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/u);

function isSecretName(name: string): boolean {
  if (harmlessNames.test(name)) return false;
  if (/^keys?$/iu.test(name)) return true;
  return secretNames.test(name) || endings.test(name) || wordsIn(name).some((word) => secretWords.has(word));
}

/** `\S+:\S+` that is no address, time, port or pair of paths: a user and a password. */
const login = /^["']?[^\s:/"'=]+:(?!\d+["']?$)[^\s:/"']+["']?$/u;
/** Letters mixed with digits, or a long word of mixed case: nobody types that by hand. */
const isMade = (word: string): boolean =>
  word.length >= 8 &&
  /\d/u.test(word) &&
  /[a-z]/iu.test(word) &&
  !/^v?\d+(?:\.\d+)*(?:[a-z]{1,8}\d*)?$|^[a-z]{2,}(?:[-_.]?\d{1,4}){1,4}$|^[a-z]+(?:[-_.][a-z]*\d{0,4}[a-z]*)+$|^-?[a-z]{1,6}\d{1,6}[a-z]{0,2}$|^\d+[a-z]{1,3}$/iu.test(
    word,
  );

function isHarmless(value: string): boolean {
  if (holdsSecret(value) || login.test(value.trim().replace(/[,;]$/u, ""))) return false;
  if (/\b(?:authorization|bearer|basic)\b\s*[:\s]\s*\S/iu.test(value) || /\/t\/[^/\s]+/u.test(value))
    return false;
  return !value.split(/[\s"'`,;:=@/\\()[\]{}<>|&?%$*!#+]+/u).some(isMade);
}

/** Credentials in addresses go; the rest of the address stays. */
const withoutLogins = (text: string): string => text.replaceAll(/(?<=:\/\/)[^/\s@"']+@/gu, "");

type SettingLine = { indent: number; name: string; value: string };

/** `name = value`, `name: value`, `"name": "value"`, `--name value`, `<name>value`; undefined for other lines. */
function settingIn(line: string): SettingLine | undefined {
  const indent = line.length - line.trimStart().length;
  const [, name, value = ""] =
    /^\s*(?:export\s+|set\s+)?["']?(-{0,2}[\w@./:*[\]-]*?[\w\]-])["']?\s*(?:[=:]|\s+(?=["'\S]))\s*(.*)$/u.exec(
      line,
    ) ??
    /^\s*<(?:add\s+key=")?([\w.-]+)"?[^>]*>?(.*)$/u.exec(line) ??
    [];
  return name === undefined ? undefined : { indent, name, value };
}

export function redactSettings(text: string): string {
  const lines = withoutBlocks(withoutLogins(text)).split("\n");
  const kept: string[] = [];
  /** The indentation of a setting that was dropped: deeper lines and those without a setting belong to it. */
  let dropped: number | undefined;
  let section = "";
  for (const line of lines) {
    if (/^\s*(?:$|[#;]|\/\/(?!.*=)|<!--)/u.test(line)) continue;
    if (/^\s*\[[^\]]*\]\s*$/u.test(line)) {
      section = line;
      dropped = undefined;
      if (isHarmless(line.replaceAll(/[[\]]/gu, ""))) kept.push(line);
      else kept.push("[redacted]");
      continue;
    }
    const setting = settingIn(line);
    const indent = setting?.indent ?? line.length - line.trimStart().length;
    if (dropped !== undefined && indent > dropped) continue;
    const isSecret = setting !== undefined && isSecretSetting(setting, section);
    const isKept = !isSecret && isHarmless(line);
    dropped = isKept || (setting === undefined && dropped === undefined) ? undefined : indent;
    if (isKept) kept.push(line);
  }
  return kept.length > 0 && text.endsWith("\n") ? `${kept.join("\n")}\n` : kept.join("\n");
}

/** Whether something is set by a telling name to a value that is not plainly harmless. */
export const hasSecretSetting = (text: string): boolean =>
  loginOption.test(text) || pairsIn(text).some(isSecretPair);

/** The value may begin a block of lines, or be a setting itself: `Environment=API_TOKEN=…`. */
function isSecretPair({ name, value }: SettingLine): boolean {
  if (isSecretName(name)) return opensBlock.test(value) || !isHarmlessValue(bare(value));
  const [, inner = "", its = ""] = /^["']?(\w+)=(.*)$/u.exec(value) ?? [];
  return inner !== "" && isSecretName(inner) && bare(its).length > 0 && !plainest.test(bare(its));
}

const opensBlock = /^(?:"""|'''|[|>][+-]?\s*$)/u;
const loginOption = /(?:^|\s)(?:-u|--user)[\s=]["']?[a-z][^\s,:"'/]*,\s?(?!\d+\b)[^\s,]/imu;

/** Whether it consists of settings, all with plainly harmless values. */
export function hasHarmlessSettingsOnly(text: string): boolean {
  const pairs = pairsIn(text);
  return (
    pairs.length > 0 && pairs.every(({ value }) => plainest.test(bare(value))) && !hasSecretSetting(text)
  );
}

/** Nothing, a number, a time, a version, one short word, a path. */
const plainest = /^(?:[\d.:TZ+-]*|v?\d[\w.-]{0,12}|[a-z]{1,12}|~?\/[\w./-]*)$/u;

const pairsIn = (text: string): SettingLine[] =>
  text.split(/[\n,{}]/u).flatMap((line) => settingIn(line) ?? []);

const bare = (value: string): string => value.replaceAll(/^["']|["',;\s]+$/gu, "");

/** A short name such as `user` or `-u` is a login only if its value looks like one. */
function isSecretSetting({ name, value }: SettingLine, section: string): boolean {
  if (isSecretName(name) || login.test(value.replace(/[,;]\s*$/u, ""))) return true;
  if (/\b(?:login|passw(?:or)?d|token|secret)\s+\S/iu.test(value)) return true; // as in .netrc
  if (/(?:\b|_)(?:key|token|secret|passw(?:or)?d)["']?\s*[=:]\s*\S/iu.test(value)) return true; // in one line
  if (loginOption.test(value)) return true; // as in `open -u ann,password host`
  if (/^-{0,2}(?:u|U|user|proxy-user|b|H)$/u.test(name) && /[:\s]\S/u.test(value.trim())) return true;
  if (/auth|secret|token|password/iu.test(section)) return !plainest.test(bare(value));
  return /credential/iu.test(section) && !isHarmlessValue(bare(value));
}

/** Values over several lines: TOML's and Python's quotes, elements of XML, keys in PEM. */
function withoutBlocks(text: string): string {
  return text
    .replaceAll(/-----BEGIN [^-\n]+-----[\s\S]*?(?:-----END [^-\n]+-----|$)/gu, "")
    .replaceAll(/^[^\n=]*=\s*("""|''')[\s\S]*?(?:\1|$(?![\s\S]))[^\n]*$/gmu, "")
    .replaceAll(/<([\w.:-]+)(\s[^<>]*)?>([^<]*)<\/\1>/gu, (all, name: string) =>
      isSecretName(name) ? "" : all,
    );
}
