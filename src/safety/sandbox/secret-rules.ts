/** Recognises files in a home directory that hold secrets, whatever program keeps them: by name, mode and content. */

import { readFileSync, type Stats } from "node:fs";
import { bounds } from "../../base/bounds.ts";
import { redactor } from "../../base/redact.ts";
import { hasHarmlessSettingsOnly, hasSecretSetting } from "./redact-settings.ts";
import { isEnvironmentFile, type Secret } from "./secrets.ts";

const tellingPart =
  /auth(?!or)|token(?!iz)|credential|creds|secret|passw|api[_-]?key|private[_-]?key|keyring|cookie|login|vault[_-]?pass/iu;
const tellingWord =
  /(?:^|[._-])(?:pass|keys?|pat|jwt|sessions?|pwd|vault|wallet|keystore|identity)(?:[._-]|$)/iu;
const keyFile =
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?$|\.(?:key|p12|pfx|p8|kdbx?|jks|keystore|ppk|ovpn|vscdb|gpg|age)$/iu;
/** Names that say something else: code, documents, public halves, and Android's key for tests, which is public. */
const plainFile =
  /\.(?:[cm]?[jt]sx?|py[cio]?|rb|rs|go|java|kt|c|h|cc|cpp|hpp|lua|el|vim|fish|zsh|bash|sh|ps1|pl|md|rst|html?|css|svg|png|map|so|a|o|d|lock|pub|crt|cer|desktop|service|theme|1|8)$|^known_hosts|^debug\.keystore$|^authors?\b|keyboard|keybinding/iu;

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
  if (plainFile.test(name)) return undefined;
  const isOwnerOnly = (file.mode & 0o077) === 0 && !ownerOnlyIsUsual;
  if (file.size === 0) return undefined;
  const text = file.size <= bounds.files.masked.most ? textOf(path) : undefined;
  if (text === undefined) return isOwnerOnly ? "hidden" : undefined;
  if (shellFile.test(name)) return redactInPlace(text) === text ? undefined : "redacted";
  if (isOwnerOnly) return hasHarmlessSettingsOnly(text) ? undefined : "hidden";
  if (!hasSecretSetting(text) && redactInPlace(text) === text) return undefined;
  return isJson(text) ? "hidden" : "redacted";
}

/** The shell's own files keep their structure. */
export const keepsStructure = (name: string): boolean => shellFile.test(name);
export const redactInPlace = redactor();

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
