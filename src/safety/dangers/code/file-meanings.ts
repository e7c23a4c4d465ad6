/** What calls in code do to files. */

import { isUnknown, unknownWord, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  argument,
  type Call,
  fetches,
  isAddress,
  isTrue,
  type Meaning,
  option,
  positional,
  rest,
  runsShell,
  starts,
} from "./meaning.ts";
import { tell } from "./notes.ts";
import { carrying, nothing, texted, type Value, wordsOf } from "./value.ts";

/** Whose paths: those of an argument, of all of them or of those behind the first ones, or the call's receiver. */
export type Whose = "all" | "first" | "second" | "behind" | "receiver";

function pathsOf(call: Call, whose: Whose): readonly Word[] {
  if (whose === "receiver") return wordsOf(call.receiver);
  if (whose === "all") return positional(call).flatMap(wordsOf);
  if (whose === "behind") return positional(call).slice(1).flatMap(wordsOf);
  const named = option(call, "path", "src", "dst", "file", "filename");
  return wordsOf(argument(call, whose === "first" ? 0 : 1) ?? named ?? nothing);
}

/** A path that is not known at all says nothing. */
const isKnown = (path: Word): boolean => !isUnknown(path) || path.text.length > 1;

const touches =
  (verb: string, whose: Whose, effect: (path: Word, call: Call) => Effect): Meaning =>
  (call) => {
    const found = pathsOf(call, whose);
    const known = found.filter(isKnown);
    tell(call.notes, ...known.map((path) => effect(path, call)));
    if (known.length < found.length || found.length === 0)
      tell(call.notes, danger("high", `its code ${verb} files that only the run tells`));
    return rest(call);
  };

export const deletes = (whose: Whose, deep: boolean): Meaning =>
  touches("deletes", whose, (path, call) => ({
    type: "deletes",
    path,
    deep: deep || isTrue(option(call, "recursive", "force")),
  }));

export const writes = (whose: Whose, how: "replaces" | "appends" | "edits" | "creates"): Meaning =>
  touches("writes", whose, (path, call) => {
    const content = whose === "first" && how !== "creates" ? argument(call, 1)?.text : undefined;
    return { type: "writes", path, how, ...(content ? { content } : {}) };
  });

/** `mode`: which argument it is; undefined for a change of owner. */
export const permits = (whose: Whose, mode: number | undefined): Meaning =>
  touches("changes who may use", whose, (path, call) => ({
    type: "permits",
    path,
    mode: mode === undefined ? undefined : modeOf(argument(call, mode)?.text),
    deep: false,
  }));

/** `0o777`, `0777` or "0777" as an octal mode for chmod. Numbers without an octal prefix are decimal. */
function modeOf(word: Word | undefined): Word {
  if (!word) return unknownWord();
  const octal = /^0o?([0-7]+)$/iu.exec(word.text)?.[1];
  if (octal !== undefined) return { ...word, text: octal };
  return /^\d+$/u.test(word.text) ? { ...word, text: Number(word.text).toString(8) } : word;
}

export const moves =
  (from: "first" | "receiver"): Meaning =>
  (call) => {
    if (from === "receiver" && !call.receiver.text) return rest(call);
    touches("moves", from, (path) => ({ type: "deletes", path, deep: true, moved: true }))(call);
    return writes(
      from === "first" ? "second" : "first",
      "replaces",
    )({ ...call, given: call.given.slice(0, 2) });
  };

export const reads =
  (whose: Whose): Meaning =>
  (call) => {
    notesRead(call, pathsOf(call, whose));
    return rest(call);
  };

function notesRead({ notes }: Call, paths: readonly Word[]): void {
  const known = paths.filter(isKnown);
  notes.filesRead.push(...known);
  tell(notes, ...known.map((path): Effect => ({ type: "reads", path })));
}

export const copies: Meaning = (call) => {
  notesRead(call, wordsOf(argument(call, 0) ?? nothing));
  return writes("second", "replaces")(call);
};

/** Reads an address, standard input, or a file. */
export const gets: Meaning = (call) => {
  const from = argument(call, 0) ?? nothing;
  if (isAddress(from)) return fetches()(call);
  if (/^(?:0|\/dev\/stdin|php:\/\/stdin)$/u.test(from.text?.text ?? "") || from.path === "process.stdin.fd")
    return carrying("input");
  notesRead(call, wordsOf(from));
  return nothing;
};

/** Opens a file for reading or writing, depending on its mode. */
export const opens: Meaning = (call) => {
  const path = argument(call, 0) ?? option(call, "file", "path", "filename");
  if (!path) return nothing;
  if (isAddress(path)) return fetches()(call);
  const mode = (argument(call, 1) ?? option(call, "mode", "flags", "flag"))?.text;
  if (mode && (isUnknown(mode) || /[wax+>]/u.test(mode.text))) {
    const given = [{ name: "", value: path }];
    writes("first", mode.text.includes("a") ? "appends" : "replaces")({ ...call, given });
  } else notesRead(call, wordsOf(path));
  return { ...nothing, path: "open()" };
};

/** `Path(x).open("w")`. */
export const opensReceiver: Meaning = (call) =>
  call.receiver.text
    ? opens({ ...call, given: [{ name: "", value: call.receiver }, ...call.given] })
    : { ...nothing, path: "open()" };

/** Perl's `open(F, ">file")`, `open(F, ">", "file")`, `open(F, "command |")`. */
export const opensAsPerl: Meaning = (call) => {
  const [, mode, ...paths] = positional(call);
  if (!mode) return nothing;
  const all = mode.text?.text.trim() ?? "";
  if (paths.length > 0 && (all.includes("|") || !mode.text)) return starts({ skip: 2 })(call);
  return opensByText(call, mode, paths[0]);
};

/** `open("| command")` starts the command. In Perl signs in front of a name say how it is opened. */
function opensByText(call: Call, { text, carries }: Value, path: Value | undefined): Value | undefined {
  const all = text?.text.trim() ?? "";
  if (/^[+<>]*&/u.test(all)) call.notes.facts.add("streams");
  else if (all.startsWith("|") || all.endsWith("|"))
    return runsShell(
      call.notes,
      text ? texted({ ...text, text: all.replaceAll(/^\||\|$/gu, "").trim() }) : { ...nothing, carries },
    );
  else {
    const named =
      path ??
      (text ? texted({ ...text, text: all.replace(/^\+?[<>]+/u, "").trim() }) : { ...nothing, carries });
    const given = [{ name: "", value: named }];
    if (/^(?:>|\+<|\+>)/u.test(all))
      return writes("first", all.includes(">>") ? "appends" : "replaces")({ ...call, given });
    // An unknown name may start with anything, including the syntax that opens a command.
    if (!path && text && isUnknown(text) && all.startsWith("\0"))
      tell(call.notes, danger("high", "what its code opens is only known when it runs"));
    else notesRead(call, wordsOf(named));
  }
  return nothing;
}

export const opensAsRuby: Meaning = (call) => {
  const path = argument(call, 0);
  return path?.text?.text.trimStart().startsWith("|") ? opensByText(call, path, undefined) : opens(call);
};
