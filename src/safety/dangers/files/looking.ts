/** Programs that inspect the machine and print the result. Some have an option that changes a setting instead. */

import { posix } from "node:path";
import { isLiteral, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import { danger, printsVariables } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { directoryOf, nameOf, readsFiles, writes } from "../file-effect-makers.ts";
import { program, type Program, type Use } from "../program.ts";
import { printing } from "../text/printing.ts";

/** Resolves a path, as far as its text allows. */
function tellsPlace({ operands: [path, ...more], around: { directory }, has }: Use): Effect[] {
  if (!path || more.length > 0 || !isLiteral(path) || has("relative-to", "relative-base")) return [];
  const isAbsolute = path.text.startsWith("/");
  if (!isAbsolute && directory === undefined) return [];
  return [{ type: "prints", text: literal(posix.resolve(directory ?? "/", path.text)) }];
}

const setsClock = danger("high", "it sets the clock of this machine");
const printsSecrets: Effect = { type: "prints", flows: ["secret"] };

export const looking: readonly Program[] = [
  ...printing,

  program("realpath grealpath", tellsPlace, { options: { long: ["relative-to", "relative-base"] } }),
  program("readlink greadlink", (use) => (use.has("f", "e", "m", "canonicalize") ? tellsPlace(use) : [])),
  program("dirname gdirname", ({ operands: [path] }) => namePrinted(path, directoryOf)),
  program("basename gbasename", ({ operands: [path, ending], has }) =>
    namePrinted(ending || has("a", "s", "suffix", "multiple") ? undefined : path, nameOf),
  ),
  program("file", looksAtFiles, {
    options: {
      short: "eFfmP",
      long: ["magic-file", "files-from", "exclude", "separator", "parameter", "exclude-quiet"],
      known: ["compile", "brief", "mime", "mime-type", "mime-encoding", "uncompress"],
    },
  }),
  program("getent", ({ operands }) =>
    /^g?shadow$/u.test(operands[0]?.text ?? "")
      ? readsFiles([literal("/etc/shadow")])
      : /^a?hosts/u.test(operands[0]?.text ?? "") && operands[1]
        ? [{ type: "fetches", from: operands[1] }]
        : [],
  ),
  program("ps procs", listsProcesses),
  program("pwd gpwd", ({ around: { directory } }) => [
    { type: "prints", text: directory === undefined ? unknownWord() : literal(directory) },
  ]),
  program("date gdate", tellsTime, {
    options: {
      short: "dfrsvz",
      attached: "I",
      long: ["date", "file", "reference", "set", "rfc-3339"],
      known: ["universal", "utc", "iso-8601", "rfc-email", "debug"],
    },
  }),
  program("printenv", printsEnvironment),
];

/** The exact output if the path is known. */
function namePrinted(path: Word | undefined, part: (path: Word) => Word): Effect[] {
  if (!path || !isLiteral(path)) return [];
  return [{ type: "prints", text: withText(path, `${part(path).text}\n`) }];
}

function* looksAtFiles(use: Use): Iterable<Effect> {
  yield* readsFiles([...use.operands, ...use.values("f", "files-from", "m", "magic-file")]);
  if (!use.has("C", "compile")) return;
  const [magic = literal("magic")] = use.values("m", "magic-file");
  yield* writes([{ ...magic, text: `${magic.text}.mgc` }], "replaces");
}

/** Without a dash, `e` adds the environment of every process: `ps auxe`. */
function listsProcesses({ words: [first] }: Use): Effect[] {
  return /^(?=.*e)[aAcefgGhHjklmnNosStTuvwWxXZ]+$/u.test(first?.text ?? "") ? [printsSecrets] : [];
}

/** Writes to the log of this machine or of another. */
function* tellsTime(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("f", "file").filter(({ text }) => !text.includes("%")));
  const isMac = use.has("j", "v") || use.values("f").some(({ text }) => text.includes("%"));
  const isNumber = use.operands.some(({ text }) => /^\d{4,}(?:\.\d+)?$/u.test(text));
  if (use.has("s", "set") || (isNumber && !isMac)) yield setsClock;
  const format = use.operands.find(({ text }) => text.startsWith("+"));
  if (format) yield { type: "prints", text: withText(format, `${dated(format.text.slice(1))}\n`) };
}

/** A digit represents the clock's output: no date contains characters that matter where it is used. */
function dated(format: string): string {
  const plain: Readonly<Record<string, string>> = { "%%": "%", "%n": "\n", "%t": "\t" };
  return format.replaceAll(
    /%(?:[-_0^#+:]{0,4}\d{0,3}[EO]?[a-zA-Z]|%)/gu,
    (directive) => plain[directive] ?? "0",
  );
}

function printsEnvironment({ operands }: Use): Effect[] {
  if (operands.length === 0) return [printsVariables];
  return operands.some(({ text }) => isSecretVariable(text)) ? [printsSecrets] : [];
}
