/** tar: packs and unpacks file trees. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { danger, runs } from "../effect-makers.ts";
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
  long: namesIn(`add-file after-date blocking-factor checkpoint-action directory exclude
    exclude-caches-file exclude-from exclude-ignore exclude-ignore-recursive exclude-tag exclude-tag-all
    exclude-tag-under file files-from format group group-map index-file info-script label level
    listed-incremental mode mtime new-volume-script newer newer-mtime owner owner-map passphrase
    pax-option quote-chars quoting-style record-size rmt-command rsh-command set-mtime-command
    set-mtime-format sort sparse-version starting-file strip-components suffix tape-length to-command
    transform use-compress-program volno-file warning xform no-quote-chars options`),
  known: namesIn(`absolute-names acls append atime-preserve auto-compress backup block-number bzip2
    catenate check-device check-links checkpoint compare compress concatenate confirmation create
    delay-directory-restore delete dereference diff exclude-backups exclude-caches exclude-vcs extract
    force-local full-time get gunzip gzip hard-dereference help ignore-case ignore-failed-read
    ignore-zeros incremental interactive keep-newer-files keep-old-files list lzip lzma lzop
    multi-volume no-recursion null numeric-owner occurrence old-archive one-file-system one-top-level
    overwrite overwrite-dir portability posix preserve-order preserve-permissions read-full-records
    recursion recursive-unlink remove-files same-owner same-permissions selinux show-defaults
    show-omitted-dirs show-transformed-names skip-old-files sparse test-label to-stdout totals touch
    uncompress ungzip unlink-first update utc verbatim-files-from verbose verify version wildcards
    xattrs xz zstd`),
};

export const tar = program("tar gtar bsdtar star", packs, { options: form });

function packs(given: Use): Effect[] {
  const use = useOf({ names: [], does: packs, options: form }, { ...given, words: spread(given.words) });
  return [...programsOf(use), ...filesOfOptions(use), ...archiveOf(use)];
}

/** `czf out.tgz src`: letters without a dash take their values from the following words, in order. */
function spread(words: readonly Word[]): readonly Word[] {
  const [bundle, ...rest] = words;
  if (!bundle || !/^[a-zA-Z]+$/u.test(bundle.text)) return words;
  let at = 0;
  const options = bundle.text.split("").flatMap((letter) => {
    const option = withText(bundle, `-${letter}`);
    const value = form.short?.includes(letter) === true ? rest[at] : undefined;
    if (!value) return [option];
    at += 1;
    return [option, value];
  });
  return [...options, ...rest.slice(at)];
}

const compressors =
  /^(?:\/usr\/bin\/)?(?:p?zstd|zstdmt|unzstd|pigz|unpigz|[lp]?bzip2|bunzip2|gzip|gunzip|xz|unxz|pixz|pxz|lzma|lzip|plzip|lzop|lz4|brotli|compress)$/u;

const commands = namesIn(
  `to-command F info-script new-volume-script rsh-command rmt-command set-mtime-command`,
);

function* programsOf(use: Use): Iterable<Effect> {
  for (const { name, value } of use.options)
    if (value && commands.includes(name)) yield* runsByOption(name === "F" ? "-F" : `--${name}`, value);
  for (const compressor of use.values("I", "use-compress-program")) {
    const words = wordsIn(compressor);
    if (compressors.test(words[0]?.text ?? "")) yield runs(words);
    else yield* runsByOption("--use-compress-program", compressor);
  }
  for (const action of use.values("checkpoint-action")) {
    const command = cutAt(action, "exec=");
    if (command) yield* runsByOption("--checkpoint-action", command.after);
    else if (!/^(?:dot|\.|bell|echo|ttyout|sleep|totals|wait)/u.test(action.text))
      yield* runsByOption("--checkpoint-action", action);
  }
}

function* filesOfOptions(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("T", "files-from", "X", "exclude-from", "owner-map", "group-map"));
  yield* writes(use.values("index-file", "volno-file", "g", "listed-incremental"), "replaces");
}

const here = literal(".");

function* archiveOf(use: Use): Iterable<Effect> {
  const archive = use.values("f", "file");
  const far = use.has("force-local") ? undefined : archive.find(({ text }) => /^[^/:]+:/u.test(text));
  if (use.has("x", "extract", "get")) {
    yield* far ? [{ type: "fetches", from: far } as const] : readsFiles(archive);
    yield* unpacks(use);
    return;
  }
  const members = membersOf(use);
  if (use.has("c", "create")) {
    yield* readsFiles(members);
    if (far) yield { type: "sends", to: cutAt(far, ":")?.before, files: members };
    else yield* writes(archive, "replaces");
  } else if (use.has("r", "append", "u", "update", "A", "catenate", "concatenate", "delete")) {
    if (!use.has("delete")) yield* readsFiles(members);
    yield* writes(archive, "edits");
  } else yield* readsFiles(archive);
  if (use.has("remove-files")) yield* deletes(members, true);
}

function* unpacks(use: Use): Iterable<Effect> {
  if (use.has("O", "to-stdout", "to-command")) {
    yield printsDecoded;
    return;
  }
  const top = use.options.find(({ name }) => name === "one-top-level")?.value;
  const directory = top ?? use.value("C", "directory") ?? here;
  const members = use.operands.filter(({ isPattern }) => !isPattern);
  yield* writes(members.length > 0 ? members.map((name) => below(directory, name)) : [directory], "creates");
  if (use.has("P", "absolute-names"))
    yield danger("high", "it lets the archive write wherever its names point");
}

/** The packed files, relative to the directory given by `-C`. */
function membersOf(use: Use): readonly Word[] {
  const directory = use.value("C", "directory");
  return use.operands.map((path) => (directory && isRelative(path) ? below(directory, path) : path));
}
