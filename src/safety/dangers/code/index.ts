/** What literal code in languages other than shell does, as far as that is visible without running it. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import { awkEffects } from "./awk.ts";
import { conclude, noteFlows } from "./notes.ts";
import { readCode } from "./reader.ts";
import { sedEffects } from "./sed.ts";
import { wordEffects } from "./words.ts";

/** Never throws. Shell code is not analysed here but with command lines. */
export function codeEffects(language: Language, code: Word): Effect[] {
  if (language === "shell") return [];
  const effects = effectsOf(language, code);
  if (neverStops.test(code.text) && !pauses.test(code.text))
    effects.push({ type: "prints", flows: ["endless"] });
  if (!isUnknown(code)) return effects;
  // The reader of sed itself decides where an unknown part could be a command: not inside text, nor in place of a
  // number.
  if (language !== "sed") effects.push(danger("high", "part of its code is only known when it runs"));
  if (code.carries.has("network")) effects.push(danger("critical", "its code comes from the network"));
  if (code.carries.has("decoded")) effects.push(danger("critical", "its code comes out of other text"));
  return effects;
}

const neverStops =
  /\bwhile\b\s*\(?\s*(?:1|[tT]rue)\b|\bfor\s*\(\s*;\s*;|\bloop\s*(?:do\b|\{)|\buntil\s+false\b/u;
const pauses =
  /\b(?:fork|break|return|exit|last|sleep|wait|read\w*|input|recv|accept|listen|quit|die|raise|throw|yield|next)\b/iu;

function effectsOf(language: Exclude<Language, "shell">, code: Word): Effect[] {
  if (language === "awk") return awkEffects(code);
  if (language === "sed") return sedEffects(code);
  if (language !== "python" && language !== "javascript") return wordEffects(language, code);
  const notes = readCode(language, code);
  noteFlows(notes, code.carries);
  return conclude(notes, code.text);
}
