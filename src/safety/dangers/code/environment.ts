/** The values of environment variables, by their names. */

import { literal, unknownWord, type Word } from "../../command-line/word.ts";

const secretName = /token|secret|passw|credential|api_?key|access_?key|private|auth|^.*_key$/iu;

/** Whether a variable of that name usually holds a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

export function variableNamed(name: string): Word {
  if (name === "HOME" || name === "USERPROFILE") return literal("~");
  if (name === "PWD") return literal(".");
  return unknownWord(isSecretName(name) ? new Set(["secret"]) : undefined);
}
