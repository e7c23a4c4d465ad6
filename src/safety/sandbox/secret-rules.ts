/** Recognises files in a home directory that hold secrets, whatever program keeps them: by name, mode and content. */

import { readFileSync, type Stats } from "node:fs";
import { redactedMark, redactor } from "../../base/redact.ts";
import { isEnvironmentFile } from "../environment-files.ts";
import { isSecretVariable } from "../secret-variables.ts";
import { mostMaskedBytes } from "./bounds.ts";
import { hasHarmlessSettingsOnly, hasSecretSetting, redactSettings } from "./redact-settings.ts";
import type { Secret } from "./secrets.ts";

const tellingPart =
  /auth(?!or)|token(?!iz)|credential|creds|secret|passw|api[_-]?key|private[_-]?key|keyring|cookie|login|vault[_-]?pass|^[._]?(?:netrc|pgpass|fetchmailrc|msmtprc|getmailrc|mbsyncrc|offlineimaprc)\b/iu;
const tellingWord =
  /(?:^|[._-])(?:pass|keys?|pat|jwt|sessions?|pwd|vault|wallet|keystore|identity)(?:[._-]|$)/iu;
const keyFile =
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?$|\.(?:key|p12|pfx|p8|kdbx?|jks|keystore|ppk|ovpn|vscdb|gpg|age)$/iu;
/** Names that say something else: code, documents, public halves, and Android's key for tests, which is public. */
const plainFile =
  /\.(?:[cm]?[jt]sx?|py[cio]?|rb|rs|go|java|kt|c|h|cc|cpp|hpp|lua|el|vim|fish|zsh|bash|sh|ps1|pl|md|rst|html?|css|svg|png|map|so|a|o|d|lock|pub|crt|cer|desktop|theme|1|8)$|^known_hosts|^debug\.keystore$|^authors?\b|keyboard|keybinding/iu;

export function isSecretName(name: string): boolean {
  if (isEnvironmentFile(name)) return true;
  if (plainFile.test(name)) return false;
  return keyFile.test(name) || tellingPart.test(name) || tellingWord.test(name);
}

/** A whole directory of secrets. */
export const isSecretDirectory = (name: string): boolean =>
  /^\.?(?:credentials?|creds|secrets?|tokens?|auth|oauth2?|passwords?|keyrings?|(?:private[_-])?keys|sessions?|cookies|vault)$/iu.test(
    name,
  );

/** Settings that are programs: who starts the program needs them whole but for the secrets in them. */
const script = /\.(?:lua|el|vim|fish|(?:z|ba|k|c|tc)?sh|nu|ps1)$/iu;
/** Where only a quoted text is a value, and an expression is none. */
const code = /\.(?:lua|el|vim)$/iu;
/** Of a script: its whole name says it, since key bindings and plugins have telling words in theirs as well. */
const tellingScript =
  /^[._]?(?:(?:api|my)?[_-]?(?:keys|secrets?|credentials?|creds|tokens?|passwords?|private|env)(?:[._-].*)?)$/iu;

/** Its secrets replaced: those that look like one, what telling names are set to and, in a telling file, every text. */
function redactScript(text: string, name: string): string {
  const isTelling = tellingScript.test(name.replace(script, ""));
  const isCode = code.test(name);
  const plain = isCode
    ? text.replaceAll(/[\w+.-]+:\/\/[^\s"']+|[^\s"'()=,;:{}]+/gu, (word) => redactInPlace(word))
    : redactInPlace(text);
  return plain.replaceAll(
    assignment,
    (all, start: string, first: string | undefined, second: string | undefined, value: string) => {
      if (value === redactedMark || value.includes("$") || (isCode && !/["']$/u.test(start))) return all;
      const isSecret =
        isSecretVariable(first ?? second ?? "") ||
        (isTelling && !/^(?:[\d.]+|true|false|[~./].*)$/u.test(value));
      return isSecret ? `${start}${redactedMark}` : all;
    },
  );
}

/** `export NAME=value`, `set -gx NAME value`, `setenv NAME value`, `let g:name = "value"`, `name = "value"`. */
const assignment =
  /(?<!\w)((?:set(?:env)?[ \t]+(?:-\w+[ \t]+){0,4}([A-Za-z_]\w*)[ \t]+|([A-Za-z_]\w*)[ \t]{0,8}=[ \t]{0,8})["']?)([^\s"'();=]{5,})/gu;

/** Files that the shell reads: what is in them is replaced in place, since a line less may be a mistake in them. */
const shellFile =
  /^\.(?:(?:ba|z|k|c|tc|mk)?sh(?:rc|env|_\w+)|zprofile|zlog(?:in|out)|profile|x?profile|log(?:in|out))$/u;

/** How a file in a program's own place is shown; undefined: as it is. `ownerOnlyIsUsual`: with a umask of 077. */
export function shownAs(
  path: string,
  name: string,
  { file, ownerOnlyIsUsual }: { file: Pick<Stats, "mode" | "size">; ownerOnlyIsUsual: boolean },
): Secret["shown"] | undefined {
  if (isSecretName(name)) return "hidden";
  const isScript = script.test(name);
  if (plainFile.test(name) && !isScript) return undefined;
  const isOwnerOnly = (file.mode & 0o077) === 0 && !ownerOnlyIsUsual;
  if (file.size === 0) return undefined;
  const text = file.size <= mostMaskedBytes ? textOf(path) : undefined;
  if (isScript) return text === undefined || redactScript(text, name) === text ? undefined : "redacted";
  if (text === undefined) return isOwnerOnly ? "hidden" : undefined;
  if (shellFile.test(name)) return redactInPlace(text) === text ? undefined : "redacted";
  if (isOwnerOnly) return hasHarmlessSettingsOnly(text) ? undefined : "hidden";
  if (!hasSecretSetting(text) && redactInPlace(text) === text) return undefined;
  return isJson(text) ? "hidden" : "redacted";
}

/** The shell's own files and scripts keep their structure. */
export function redactedFor(name: string, text: string): string {
  if (script.test(name)) return redactScript(text, name);
  return shellFile.test(name) ? redactInPlace(text) : redactSettings(text);
}
const redactInPlace = redactor();

const isJson = (text: string): boolean => /^\s*[[{]/u.test(text);
/** Undefined for what is not text, or not readable by us. */
function textOf(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    return bytes.subarray(0, 1024).includes(0) ? undefined : bytes.toString("utf8");
  } catch {
    return undefined;
  }
}
