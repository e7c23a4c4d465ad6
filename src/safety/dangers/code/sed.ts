/** What a sed script does besides editing its input: commands it runs, files it reads and writes. */

import { unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

type SedScript = { readonly code: Word; at: number; readonly effects: Effect[] };

/** Never throws. A script that cannot be read is dangerous. */
export function sedEffects(code: Word): Effect[] {
  const script: SedScript = { code: { ...code, isPattern: false }, at: 0, effects: [] };
  while (script.at < code.text.length) {
    const before = script.at;
    if (readCommand(script) && script.at > before) continue;
    script.effects.push(danger("high", "its script cannot be read"));
    break;
  }
  return script.effects;
}

/** Returns whether the command was understood. */
function readCommand(script: SedScript): boolean {
  take(script, /[\s;{}]*/uy);
  if (script.at >= script.code.text.length) return true;
  if (!readAddress(script)) return false;
  take(script, /[\s!]*/uy);
  const name = take(script, /[^]/uy);
  if (name === "s") return readSubstitution(script);
  if (name === "y") return readBetween(script, 2, false);
  if (name === "#") take(script, /[^\n]*/uy);
  else if (/^[aic]$/u.test(name)) take(script, /(?:\\[^]?|[^\n\\])*/uy);
  else if (/^[:btTv]$/u.test(name)) take(script, /[^;\n}]*/uy);
  else if (/^[rRwW]$/u.test(name)) tellPath(script, /r/iu.test(name) ? "reads" : "writes");
  else if (name === "e") tellCommand(script, take(script, /[^\n]*/uy).trim());
  else {
    take(script, /[ \t]*\d*/uy);
    return /^[{=dDhHgGnNpPxzFlLqQ]$/u.test(name);
  }
  return true;
}

function take(script: SedScript, pattern: RegExp): string {
  pattern.lastIndex = script.at;
  const found = pattern.exec(script.code.text)?.[0] ?? "";
  script.at += found.length;
  return found;
}

/** `1`, `$`, `/x/I`, `\,x,`, `first~step`, or a pair of them; an unknown part counts as a number. */
function readAddress(script: SedScript): boolean {
  do {
    if (take(script, /[+~]?[\d\0]+(?:~[\d\0]+)?|\$/uy) !== "") continue;
    if (take(script, /\\?(?=\/)|\\/uy) === "" && script.code.text[script.at] !== "/") return true;
    if (!readBetween(script, 1)) return false;
    take(script, /[IM]*/uy);
  } while (take(script, /\s*,\s*/uy) !== "");
  return true;
}

const set = /\[\^?\]?(?:\[[:.=][^\]\n]*\]|[^\]\n]){0,300}\]/uy;

/** Takes `count` texts, each ended by the delimiter that stands here. In a bracket set of a pattern it ends nothing. */
function readBetween(script: SedScript, count: number, isPattern = true): boolean {
  const close = take(script, /[^\n\\]/uy);
  if (close === "") return false;
  for (let left = count; left > 0;) {
    const char = take(script, /\\[^]|[^\\]/uy);
    if (char === "") return false;
    if (char === close) left -= 1;
    if (char !== "[" || char === close || !isPattern || left < count) continue;
    script.at -= 1;
    if (take(script, set) === "") script.at += 1;
  }
  return true;
}

function readSubstitution(script: SedScript): boolean {
  if (!readBetween(script, 2)) return false;
  if (take(script, /[gpiImMe\d]*/uy).includes("e")) tellCommand(script, "");
  if (take(script, /w/uy) !== "") tellPath(script, "writes");
  return /^(?:$|[\s;}#])/u.test(script.code.text.slice(script.at, script.at + 1));
}

function tellPath(script: SedScript, type: "reads" | "writes"): void {
  const text = take(script, /[^\n]*/uy).trim();
  if (text === "" || /^\/dev\/std(?:in|out|err)$/u.test(text)) return;
  const path = withText(script.code, text);
  script.effects.push(type === "reads" ? { type, path } : { type, path, how: "replaces" });
}

/** `e command`; without a command it runs what it has read. */
function tellCommand({ code, effects }: SedScript, command: string): void {
  effects.push(danger("high", "its script runs a command"));
  effects.push(interprets("shell", command === "" ? unknownWord() : withText(code, command)));
}
