/**
 * Environment variables that hold secrets, by their names and by their values: showing one needs an approval, and the
 * sandbox withholds them.
 */

import { holdsSecret, isHarmlessValue } from "../base/redact.ts";

const parts =
  /(?:token|secrets?|credentials?)(?:_|$)|passw|passphrase|(?:api|private|access|account|master)_?key|service_role|mnemonic|(?:seed|recovery|backup)_?(?:phrase|words)|^pgpass|(?:^|_)creds?(?:_|$)/iu;
const endings =
  /(?:^|_)(?:key|pat|pass|pwd|pw|auth|sk|jwt|apikey|salt|pepper)$|_(?:pat|sk|jwt)_|[a-z\d]{2}pass$/iu;
/** Every shell has the first two; the others end with such letters by chance. */
const ordinary = /^(?:OLD)?PWD$|(?:by|com|tres|over|under)pass$/iu;

/** By its name alone. */
export const isSecretVariable = (name: string): boolean =>
  (parts.test(name) || endings.test(name)) && !ordinary.test(name);

/** Names that only say secret together with a value that is neither a place, a number nor a plain word. */
const perhaps =
  /auth(?!or)|key$|sid$|dsn|webhook|connection_?string|conn_?str|signature|cookie|private|license|_pin$|otp|bearer|ident$|access$|(?:^|_)api$|(?:seed|phrase)$/iu;

/**
 * Keys by their beginning, `user:password@host` without a scheme, and a login in a program's options; not the user and
 * group that containers take.
 */
const looksSecret =
  /^key-(?=\w*\d)\w{16,}$|^SG\.[\w-]+\.[\w-]+$|^[^\s:/@]+:[^\s:/@]+@[\w.-]+(?::\d+)?(?:\/\S*)?$|(?:^|\s)(?:-u|--user|--proxy-user|-U)[\s=]{0,2}["']?(?![\w-]*:[\d-]+\b|([\w-]+):\1\b)[^\s:"'/=-][^\s:"'/]*:[^\s"'/]/u;

export const isSecretSetting = (name: string, value: string): boolean =>
  isSecretVariable(name) ||
  holdsSecret(value) ||
  looksSecret.test(value) ||
  (perhaps.test(name) && !isHarmlessValue(value));
