/** Functions of `files.yaml`: what removes files, fills them, or names them anew. */

import { isUnknown, joinWords, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import type { Effect } from "../effect.ts";
import { below, deletes, edits, filesIn, movesAway, readsFiles, writes } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";
import { mayBeOption } from "../use.ts";
import { bytesIn, bytesOfBlocks, takesDisk } from "./sizes.ts";

export const fileFunctions: Readonly<Record<string, WordsDo>> = {
  removes: (paths, { words, has }) => deletes(paths, has("r", "R", "recursive") || words.some(mayBeOption)),
  /** Many files that become empty are as good as deleted. */
  truncates: (paths, { value }) => [
    ...writes(paths, "replaces"),
    ...(/^0+$/u.test(value("s", "size")?.text ?? "")
      ? deletes(
          paths.filter(({ isPattern }) => isPattern),
          false,
        )
      : []),
  ],
  "takes disk": (sizes) => takesDisk(...sizes.map(({ text }) => bytesIn(text))),
  "makes temporary": (_, use) => makesTemporary(use),
  "takes input": (paths, use) => takesInput(paths, use),
  "copies blocks": copiesBlocks,
  "renames by code": renamesByCode,
};

/** The random letters that replace the X's are unpredictable: the pattern itself represents the name. */
function* makesTemporary({ operands, options, has }: Use): Iterable<Effect> {
  const template = operands[0] ?? literal("tmp.XXXXXXXXXX");
  const told = options.find(({ name }) => name === "p" || name === "tmpdir");
  const isTemporary = operands.length === 0 || has("t") || told !== undefined;
  const path = isTemporary ? below(told?.value ?? literal("/tmp"), template) : template;
  if (!has("u", "dry-run")) yield* writes([path], "creates");
  yield { type: "prints", text: path };
}

function* takesInput(paths: readonly Word[], { name, has, input: { text } }: Use): Iterable<Effect> {
  const how = has("a", "append") ? "appends" : "replaces";
  for (const path of filesIn(paths)) yield { type: "writes", path, how, ...(text ? { content: text } : {}) };
  if (text && (name !== "sponge" || paths.length === 0)) yield { type: "prints", text };
}

/** `dd if=… of=…`. A word known only at run time may be either. */
function* copiesBlocks(operands: readonly Word[]): Iterable<Effect> {
  if (operands.some(({ text }) => /^of=(?!\/dev\/)/u.test(text))) yield* takesDisk(bytesOfBlocks(operands));
  const how = operands.some(({ text }) => /^oflag=.*append/u.test(text)) ? "appends" : "replaces";
  for (const word of operands) {
    const value = withText(word, word.text.slice(word.text.indexOf("=") + 1));
    if (word.text.startsWith("if=")) yield* readsFiles([value]);
    else if (/^(?:of|hof|hashlog|errlog|log|hlog)=/u.test(word.text)) yield* writes([value], how);
    else if (isUnknown(word) && !/^\w+=/u.test(word.text)) yield* writes([unknownWord(word.carries)], how);
  }
}

/** Perl's `rename 's/a/b/' files`; util-linux's rename takes two plain words instead, which are harmless as code. */
function* renamesByCode(operands: readonly Word[], { values }: Use): Iterable<Effect> {
  const given = values("e", "E", "expr");
  const code = given.length > 0 ? given : operands.slice(0, 1);
  if (code.length > 0) yield { type: "interprets", language: "perl", code: joinWords(code, "\n") };
  const files = given.length > 0 ? operands : operands.slice(1);
  // Many files that get one name: only the last is left.
  const [, name] = /^s([/|,#!])\^?\.[*+]\$?\1(?<name>[^$\\&]*?)\1/u.exec(code[0]?.text ?? "")?.slice(1) ?? [];
  if (name === undefined) yield* edits(files);
  else yield* [...movesAway(files), ...writes([literal(name)], "replaces")];
}
