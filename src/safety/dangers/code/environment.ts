/** The values of environment variables, by their names. */

import { isUnknown, literal, unknownWord } from "../../command-line/word.ts";
import { nothing, said, texted, type Value } from "./value.ts";

const secretName = /token|secret|passw|credential|api_?key|access_?key|private|auth|^.*_key$/iu;

/** Whether a variable of that name usually holds a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** The value of an environment variable, by name. */
export function fromEnvironment(name: Value): Value {
  const { text } = name;
  if (!text || isUnknown(text)) return { ...nothing, carries: new Set(["secret"]) };
  if (text.text === "HOME" || text.text === "USERPROFILE") return said("~");
  if (text.text === "PWD") return said(".");
  if (isSecretName(text.text)) return texted(unknownWord(new Set(["secret"])));
  return texted({ ...literal(""), text: unknownWord().text });
}
