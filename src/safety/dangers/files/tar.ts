/** Functions of `files.yaml`: tar, which packs and unpacks trees of files. */

import { literal } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  deletes,
  isRelative,
  printsDecoded,
  readsFiles,
  runsByOption,
  writes,
} from "../file-effect-makers.ts";
import { cutAt } from "../parts.ts";
import type { Use } from "../program.ts";

const compressor =
  /^(?:\/usr\/bin\/)?[\w-]*(?:zip2?|z|z[i4o]p?|zstd\w*|pigz|lzma|brotli|compress)(?: -\S+)*$/u;
const plainAction = /^(?:dot|\.|bell|echo|ttyout|sleep|totals|wait)/u;

export const tar: Readonly<Record<string, WordsDo>> = {
  packs: (_, use) => archiveOf(use),
  compressors: (programs) =>
    programs.filter(({ text }) => !compressor.test(text)).flatMap((program) => runsByOption("-I", program)),
  /** An action is a command behind `exec=`. */
  checkpoints: (actions) =>
    actions
      .filter(({ text }) => !plainAction.test(text))
      .flatMap((action) => runsByOption("--checkpoint-action", cutAt(action, "exec=")?.after ?? action)),
};

function* archiveOf({ has, value, values, options, operands }: Use): Iterable<Effect> {
  const archive = values("f", "file");
  const far = has("force-local") ? undefined : archive.find(({ text }) => /^[^/:]+:/u.test(text));
  const directory = value("C", "directory");
  const members = operands.map((path) => (directory && isRelative(path) ? below(directory, path) : path));
  const makes = has("c", "create");
  const changes = has("r", "append", "u", "update", "A", "catenate", "concatenate", "delete");
  if (makes || changes) yield* readsFiles(members);
  if (!far) yield* makes || changes ? writes(archive, makes ? "replaces" : "edits") : readsFiles(archive);
  else if (makes) yield { type: "sends", to: cutAt(far, ":")?.before, files: members };
  else yield { type: "fetches", from: far };
  if (has("remove-files")) yield* deletes(members, true);
  if (!has("x", "extract", "get")) return;
  const top = options.find(({ name }) => name === "one-top-level")?.value ?? directory ?? literal(".");
  const named = operands.filter(({ isPattern }) => !isPattern).map((name) => below(top, name));
  if (has("O", "to-stdout", "to-command")) yield printsDecoded;
  else yield* writes(named.length > 0 ? named : [top], "creates");
  if (has("P", "absolute-names")) yield danger("high", "it lets the archive write wherever its names point");
}
