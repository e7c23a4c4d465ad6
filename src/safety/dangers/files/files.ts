/** Functions of `files.yaml`: what removes files, fills them, or names them anew. */

import { isUnknown, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import type { Effect } from "../effect.ts";
import { below, deletes, filesIn, readsFiles, writes } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";
import { mayBeOption } from "../use.ts";

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
  "makes temporary": (_, use) => makesTemporary(use),
  "takes input": (paths, use) => takesInput(paths, use),
  "copies blocks": copiesBlocks,
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
  const how = operands.some(({ text }) => /^oflag=.*append/u.test(text)) ? "appends" : "replaces";
  for (const word of operands) {
    const value = withText(word, word.text.slice(word.text.indexOf("=") + 1));
    if (word.text.startsWith("if=")) yield* readsFiles([value]);
    else if (/^(?:of|hof|hashlog|errlog|log|hlog)=/u.test(word.text)) yield* writes([value], how);
    else if (isUnknown(word) && !/^\w+=/u.test(word.text)) yield* writes([unknownWord(word.carries)], how);
  }
}
