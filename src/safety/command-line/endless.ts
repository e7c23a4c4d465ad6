/** Output without end, and what passes it on: writing it to a file fills the disk. */

import { namesIn } from "../dangers/parts.ts";
import type { Program } from "../dangers/program.ts";
import type * as syntax from "./parse.ts";
import type { Word } from "./word.ts";

/** Programs that print or copy all of their input, however long it is. */
const passing = new Set(
  namesIn(`yes gyes seq gseq cat gcat tee gtee tr gtr base64 base32 basenc xxd od hexdump gzip pigz bzip2 xz zstd lz4 rev nl fold fmt
    expand pv dd gdd cp gcp install rsync split gsplit csplit paste sed gsed awk gawk mawk grep rg strings uniq cut iconv`),
);
const wrapped: readonly (string | undefined)[] = ["wrapper", "interpreter"];
const bounding = /^(?:g?timeout|g?xargs|parallel|find|fd|fdfind)$/u;
/** `sed 5q`, `awk 'NR>3{exit}'`, `grep -m1`, `dd count=1`, `--stop-size`. */
const stops = /^-m|\bexit\b|^\d*q$|^(?:count|--(?:max-count|stop-size|size|bytes))=/u;

/** `head -c 900G`, `dd bs=1G count=900`, `openssl rand 999999999999`: the end comes too late. */
export const letsTooMuch = (name: string, words: readonly Word[]): boolean =>
  /^g?(?:head|dd|seq|jot|openssl|shuf|truncate|fallocate)$/u.test(name) &&
  [
    bytesOfBlocks(words),
    ...words.map(({ text }) =>
      bytesIn(text.replace(/^(?:-[cnls]|--(?:bytes|lines|head-count|length|size)=)/u, "")),
    ),
  ].some((bytes) => bytes !== undefined && bytes >= tooLarge);

const tooLarge = 100 * 1_024 ** 3;
const units = "bkmgtpezyrq";
const written = /^[+>]?(\d{1,15})(?:([bkmgtpezyrq])(?:i?b)?)?$/iu;

/** `900G` in bytes. `b` is what a block is for dd; such a block has no weight here. */
function bytesIn(text: string): number | undefined {
  const [, count, unit = "b"] = written.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * 1_024 ** units.indexOf(unit.toLowerCase());
}

/** How far dd writes, by its operands. */
function bytesOfBlocks(operands: readonly Word[]): number {
  const number = (form: RegExp): number | undefined =>
    operands.flatMap(({ text }) => (form.test(text) ? (bytesIn(text.replace(form, "")) ?? []) : [])).at(-1);
  return ((number(/^count=/u) ?? 0) + (number(/^o?seek=/u) ?? 0)) * (number(/^o?bs=/u) ?? 512);
}

type Passing = { name: string; words: readonly Word[]; row: Program | undefined; isOwn: boolean };

/** `isOwn`: it comes from what the program runs, not from its input. */
export function passesEndlessly({ name, words, row, isOwn }: Passing): boolean {
  if (bounding.test(name)) return false;
  if (words.some(({ text }) => stops.test(text))) return false;
  return passing.has(name) || (isOwn && (row === undefined || wrapped.includes(row.kind)));
}

/** `while :`, `until false`, `while [ 1 ]`: the condition never changes. */
export function isEndless(
  kind: syntax.While["kind"],
  { commands: [asked, second] }: syntax.CompoundList,
): boolean {
  if (!asked || second) return false;
  const { command } = asked;
  if (command.type === "ArithmeticCommand") return /^\s*[1-9]\d*\s*$/u.test(command.body);
  if (command.type === "TestCommand")
    return kind === "while" && command.expression.type === "TestUnary" && isPlain(command.expression.operand);
  if (command.type !== "Command") return false;
  const name = command.name?.value ?? "";
  if (kind === "until") return name === "false";
  const isTest = name === "[" || name === "test";
  return (
    name === ":" || name === "true" || (isTest && command.args.length <= 2 && command.args.every(isPlain))
  );
}

const isPlain = (word: syntax.CommandArgument): boolean => word.type === "Word" && !word.parts;

/** Commands that end at once and do not wait for anything. */
const quick = new Set(
  namesIn(
    "echo printf print date cat : true cp dd ls ps uptime df base64 xxd od seq tr id pwd uname hostname tee wc",
  ),
);

/** Whether such rounds follow each other without a pause and without a way out. */
export function isWithoutPause(body: unknown): boolean {
  const names = namesOf(body);
  return names.length > 0 && names.every((name) => quick.has(name));
}

function namesOf(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const own = "type" in node && node.type === "Command" && "name" in node ? [nameIn(node.name)] : [];
  return [...own, ...Object.values(node).flatMap(namesOf)];
}

const nameIn = (word: unknown): string =>
  typeof word === "object" && word !== null && "value" in word ? String(word.value) : ":";

export const fillsDisk = { severity: "high", because: "it writes to a file without end" } as const;
