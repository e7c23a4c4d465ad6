/** Functions of `files.yaml`: tar, which packs and unpacks trees of files. */

import { literal, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
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

const compressors =
  /^(?:\/usr\/bin\/)?(?:p?zstd|zstdmt|unzstd|pigz|unpigz|[lp]?bzip2|bunzip2|gzip|gunzip|xz|unxz|pixz|pxz|lzma|lzip|plzip|lzop|lz4|brotli|compress)(?: -\S+)*$/u;
const plainAction = /^(?:dot|\.|bell|echo|ttyout|sleep|totals|wait)/u;

export const tar: Readonly<Record<string, WordsDo>> = {
  packs: (_, use) => archiveOf(use),
  compressors: (programs) =>
    programs.filter(({ text }) => !compressors.test(text)).flatMap((program) => runsByOption("-I", program)),
  /** An action is a command behind `exec=`. */
  checkpoints: (actions) =>
    actions
      .filter(({ text }) => !plainAction.test(text))
      .flatMap((action) => runsByOption("--checkpoint-action", cutAt(action, "exec=")?.after ?? action)),
};

function* archiveOf(use: Use): Iterable<Effect> {
  const { has } = use;
  const archive = use.values("f", "file");
  const far = has("force-local") ? undefined : archive.find(({ text }) => /^[^/:]+:/u.test(text));
  const members = membersOf(use);
  if (has("c", "create")) {
    yield* readsFiles(members);
    if (far) yield { type: "sends", to: cutAt(far, ":")?.before, files: members };
    else yield* writes(archive, "replaces");
  } else if (far) yield { type: "fetches", from: far };
  else yield* readsFiles(archive);
  if (has("r", "append", "u", "update", "A", "catenate", "concatenate", "delete"))
    yield* [...readsFiles(members), ...writes(archive, "edits")];
  if (has("x", "extract", "get")) yield* unpacks(use);
  if (has("remove-files")) yield* deletes(members, true);
}

/** With `-P` the names in the archive decide where its files go. */
function* unpacks({ has, options, value, operands }: Use): Iterable<Effect> {
  if (has("O", "to-stdout", "to-command")) {
    yield printsDecoded;
    return;
  }
  const top = options.find(({ name }) => name === "one-top-level")?.value;
  const directory = top ?? value("C", "directory") ?? literal(".");
  const members = operands.filter(({ isPattern }) => !isPattern);
  yield* writes(members.length > 0 ? members.map((name) => below(directory, name)) : [directory], "creates");
  if (has("P", "absolute-names"))
    yield { type: "danger", severity: "high", because: "it lets the archive write wherever its names point" };
}

/** The packed files, relative to the directory given by `-C`. */
function membersOf({ value, operands }: Use): readonly Word[] {
  const directory = value("C", "directory");
  return operands.map((path) => (directory && isRelative(path) ? below(directory, path) : path));
}
