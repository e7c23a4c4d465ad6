/** rsync: copies file trees locally, or to and from another machine. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below, deletes, filesIn, nameOf, readsFiles, runsByOption, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { wordsIn } from "../parts.ts";
import type { Use } from "../program.ts";

export function* copiesTrees(use: Use): Iterable<Effect> {
  yield* programsOf(use);
  yield* filesOfOptions(use);
  const [target, sources] = [use.operands.at(-1), use.operands.slice(0, -1)];
  if (!target || sources.length === 0) return;
  const dry = use.has("n", "dry-run", "list-only");
  const far = sources.filter(isFar);
  const near = sources.filter((source) => !isFar(source));
  yield* readsFiles(near);
  for (const from of far) yield { type: "fetches", from: hostOf(from) };
  if (isFar(target)) yield { type: "sends", to: hostOf(target), files: filesIn(near) };
  if (dry) return;
  if (use.has("remove-source-files", "remove-sent-files")) yield* deletes(near, true);
  yield* changes(use, target, sources);
}

/** `src/` means its contents, `src` the directory itself. */
const isWhole = ({ text }: Word): boolean => text.endsWith("/") || text.endsWith("/.");

function* changes(use: Use, target: Word, sources: readonly Word[]): Iterable<Effect> {
  const removes = use.options.some(({ name }) => name === "del" || name.startsWith("delete"));
  if (isFar(target)) {
    if (removes) yield danger("high", "it deletes files on another machine");
    return;
  }
  const places = sources.map((source) => (isWhole(source) ? target : below(target, nameOf(pathOf(source)))));
  if (removes) yield* deletes(places, true);
  yield* writes(places, "replaces");
  for (const mode of use.values("chmod"))
    for (const path of places)
      yield { type: "permits", path, mode: withText(mode, mode.text.replace(/^[DF]/u, "")), deep: true };
  const isFile = sources.length === 1 && places[0] !== target && !target.text.endsWith("/");
  if (isFile) yield* writes([target], "replaces");
}

/** Other programs that rsync runs. A plain ssh as the remote shell is the default. */
function* programsOf(use: Use): Iterable<Effect> {
  for (const shell of use.values("e", "rsh")) {
    const words = wordsIn(shell);
    if (/^(?:ssh|rsh)$/u.test(words[0]?.text ?? "")) yield runs(words);
    else yield* runsByOption("-e", shell);
  }
  for (const path of use.values("rsync-path"))
    if (!/^(?:sudo )?[\w/.-]*rsync$/u.test(path.text)) yield* runsByOption("--rsync-path", path);
  for (const far of use.values("M", "remote-option"))
    if (/rsync-path|rsh|config/u.test(far.text)) yield* runsByOption("--remote-option", far);
  if (use.has("daemon")) yield danger("high", "it serves files to other machines");
}

const written = ["log-file", "write-batch", "only-write-batch"];
const read = namesIn(`files-from exclude-from include-from password-file read-batch config early-input`);

function* filesOfOptions(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values(...read));
  yield* writes(use.values(...written), "replaces");
  yield* writes(use.values("backup-dir", "T", "temp-dir", "partial-dir"), "creates");
}

/**
 * `host:path`, `user@host:path`, `host::module`, `rsync://host/module`; a colon after a slash is part of a file name.
 */
const isFar = ({ text }: Word): boolean => /^(?:rsync:\/\/|[^/:]+:)/u.test(text);

/** The path on the other machine. */
const pathOf = (place: Word): Word => withText(place, place.text.replace(/^(?:rsync:\/\/|[^/:]+::?)/u, ""));

const hostOf = (place: Word): Word =>
  withText(place, place.text.replace(/^rsync:\/\//u, "").replace(/[:/].*$/su, ""));
