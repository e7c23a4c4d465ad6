/** Copies of files here, or to and from another machine or a store: rsync, scp, `aws s3 cp`. */

import { type Word, withText } from "../../command-line/word.ts";
import type { Effect } from "../effect.ts";
import { below, deletes, filesIn, nameOf, readsFiles, writes } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

export function* copiesTrees(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [target, sources] = [operands.at(-1), operands.slice(0, -1)];
  if (!target || sources.length === 0) return;
  const near = sources.filter((source) => !isFar(source));
  yield* readsFiles(near);
  for (const from of sources.filter(isFar)) yield { type: "fetches", from: hostOf(from) };
  if (isFar(target)) yield { type: "sends", to: hostOf(target), files: filesIn(near) };
  if (use.has("n", "dry-run", "list-only")) return;
  if (use.options.some(({ name }) => name.startsWith("remove-s"))) yield* deletes(near, true);
  yield* changes(use, target, sources);
}

/** `src/` means its contents, `src` the directory itself. */
const isWhole = ({ text }: Word): boolean => text.endsWith("/") || text.endsWith("/.");

function* changes(use: Use, target: Word, sources: readonly Word[]): Iterable<Effect> {
  const removes = use.options.some(({ name }) => name.startsWith("del"));
  if (isFar(target)) return;
  const places = sources.map((source) => (isWhole(source) ? target : below(target, nameOf(pathOf(source)))));
  const isFile = sources.length === 1 && places[0] !== target && !target.text.endsWith("/");
  if (removes) yield* deletes(places, true);
  yield* writes(isFile ? [...places, target] : places, "replaces");
  for (const mode of use.values("chmod"))
    for (const path of places)
      yield { type: "permits", path, mode: withText(mode, mode.text.replace(/^[DF]/u, "")), deep: true };
}

/** `host:path`, `host::module`, `s3://bucket`; a colon behind a slash is part of a file name. */
const isFar = ({ text }: Word): boolean => /^(?:rsync:\/\/|[^/:]+:)/u.test(text);

/** The path on the other machine. */
const pathOf = (place: Word): Word => withText(place, place.text.replace(/^(?:rsync:\/\/|[^/:]+::?)/u, ""));

const hostOf = (place: Word): Word =>
  withText(place, place.text.replace(/^rsync:\/\//u, "").replace(/[:/].*$/su, ""));
