/** tar: packs and unpacks trees of files. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { runs } from "../effect-makers.ts";
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
import { namesIn } from "../listed.ts";
import { cutAt, wordsIn } from "../parts.ts";
import { type OptionForm, program, type Use } from "../program.ts";
import { useOf } from "../use.ts";

const form: OptionForm = {
  short: "bCfFgHIKLNTVX",
  long: namesIn(`checkpoint-action directory exclude exclude-from file files-from format group info-script level
    listed-incremental mode mtime new-volume-script newer owner record-size rmt-command rsh-command set-mtime-command
    strip-components suffix tape-length to-command transform use-compress-program volno-file xform index-file`),
  known: namesIn(
    "extract get create list append update delete diff compare to-stdout remove-files one-top-level",
  ),
};

export const tar = program("tar gtar bsdtar star", packs, { options: form });

function packs(given: Use): Effect[] {
  const use = useOf({ names: [], does: packs, options: form }, { ...given, words: spread(given.words) });
  const { values } = use;
  return [
    ...programsOf(use),
    ...readsFiles(values("T", "files-from", "X", "exclude-from")),
    ...writes(values("index-file", "volno-file", "g", "listed-incremental"), "replaces"),
    ...archiveOf(use),
  ];
}

/** `czf out.tgz src`: letters without a dash take their values from the following words, in order. */
function spread(words: readonly Word[]): readonly Word[] {
  const [bundle, ...rest] = words;
  if (!bundle || !/^[a-zA-Z]+$/u.test(bundle.text)) return words;
  const options = bundle.text.split("").flatMap((letter) => {
    const value = form.short?.includes(letter) ? rest.shift() : undefined;
    const option = withText(bundle, `-${letter}`);
    return value ? [option, value] : [option];
  });
  return [...options, ...rest];
}

const compressors =
  /^(?:\/usr\/bin\/)?(?:p?zstd|zstdmt|unzstd|pigz|unpigz|[lp]?bzip2|bunzip2|gzip|gunzip|xz|unxz|pixz|pxz|lzma|lzip|plzip|lzop|lz4|brotli|compress)$/u;
const commands = namesIn(
  "to-command F info-script new-volume-script rsh-command rmt-command set-mtime-command",
);
const plainAction = /^(?:dot|\.|bell|echo|ttyout|sleep|totals|wait)/u;

/** An action of a checkpoint is a command behind `exec=`. */
function programsOf({ options, values }: Use): Effect[] {
  return [
    ...options.flatMap(({ name, value }) =>
      value && commands.includes(name) ? runsByOption(name, value) : [],
    ),
    ...values("I", "use-compress-program").flatMap((program) => {
      const words = wordsIn(program);
      return compressors.test(words[0]?.text ?? "")
        ? [runs(words)]
        : runsByOption("--use-compress-program", program);
    }),
    ...values("checkpoint-action")
      .filter(({ text }) => !plainAction.test(text))
      .flatMap((action) => runsByOption("--checkpoint-action", cutAt(action, "exec=")?.after ?? action)),
  ];
}

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
