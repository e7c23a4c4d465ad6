/**
 * Whether a part of a line may look at what no sandbox shows (processes, services of this machine, what a project's forge
 * or cloud tells) without a question. Outside nothing holds what was misunderstood, so it does not suffice that no word is
 * known to be harmful: every program is listed, with every option that it may have.
 */

import { noInput } from "../command-line/walking.ts";
import { isLiteral, isUnknown, unknown, type Word } from "../command-line/word.ts";
import type { Variable } from "../dangers/effect.ts";
import { namesIn } from "../dangers/parts.ts";
import type { Around, OptionForm, UsedOption } from "../dangers/program.ts";
import { useOf } from "../dangers/use.ts";
import { leavesWorkspace } from "./leaves-workspace.ts";
import { type OutsideRow, outsideRows } from "./outside-rows.ts";
import { placeOf } from "./place.ts";

export function mayLookOutside(
  { words: [first, ...words], variables }: { words: readonly Word[]; variables: readonly Variable[] },
  around: Around,
): boolean {
  if (!first || !isLiteral(first) || !variables.every(isPlainVariable)) return false;
  const row = byName().get(first.text.replace(/^(?:\/usr)?\/s?bin\//u, ""));
  if (!row) return false;
  if (row.any) return true;
  if (words.some((word) => word.mayBeSeveral || word.text.startsWith(unknown))) return false;
  return isListed(row, words, around);
}

/** Variables in front that lead no program elsewhere. */
const isPlainVariable = ({ name, value }: Variable): boolean =>
  isLiteral(value) &&
  (/^(?:LC_[A-Z]+|LANG|TZ|NO_COLOR|COLUMNS|AWS_PROFILE|AWS_REGION|AWS_DEFAULT_REGION)$/u.test(name) ||
    (/^(?:[A-Z]+_)?PAGER$/u.test(name) && /^(?:cat)?$/u.test(value.text)));

type ListedRow = OutsideRow & { form: OptionForm; names: ReadonlySet<string>; doing: readonly string[] };

let rows: ReadonlyMap<string, ListedRow> | undefined;

const byName = (): ReadonlyMap<string, ListedRow> =>
  (rows ??= new Map(
    outsideRows.map(listedRow).flatMap((row) => namesIn(row.programs).map((name) => [name, row] as const)),
  ));

function listedRow(row: OutsideRow): ListedRow {
  const all = namesIn(row.options ?? "");
  const valued = all.filter((name) => name.endsWith("=")).map((name) => name.slice(0, -1));
  const { oneDash = false, stops = false } = row;
  const form = {
    short: oneDash ? "" : valued.filter((name) => name.length === 1).join(""),
    long: valued.filter((name) => oneDash || name.length > 1),
    oneDash,
    stopAtOperand: stops,
  };
  const names = new Set([...all.filter((name) => !name.endsWith("=")), ...valued]);
  return { ...row, form, names, doing: row.verbs?.split(/,\s*/u) ?? [] };
}

function isListed(row: ListedRow, words: readonly Word[], around: Around): boolean {
  const call = { name: "", variables: [], input: noInput, around };
  const behind = row.doing.includes("exec") ? words.findIndex(({ text }) => text === "exec") + 1 : 0;
  const { options, operands } = useOf(
    { options: row.form },
    { ...call, words: behind > 0 ? words.slice(0, behind) : words },
  );
  // What runs in the container is a part of its own: only the options in front of it are the program's.
  const inner = useOf(
    { options: { ...row.form, stopAtOperand: true } },
    { ...call, words: behind > 0 ? words.slice(behind) : [] },
  );
  const areKnown = [...options, ...inner.options].every((option) => isKnown(option, row));
  return areKnown && (row.stops === true || areListed(row, operands, around));
}

const isKnown = ({ name, value }: UsedOption, { names }: ListedRow): boolean =>
  (names.has(name) || (names.has("#") && /^\d$/u.test(name))) && (value === undefined || isPlainValue(value));

/** It names no file (`@notes`, `%output{x}`), and no host or address but of this machine. */
const isPlainValue = ({ text }: Word): boolean =>
  !/(?:^|=)@(?!me$)|%output\{|\b(?:host|hostaddr|service)=/u.test(text) &&
  !/^(?!file:)[a-z][\w+.-]*:\/\/(?!localhost\b|127\.|\[::1\])/iu.test(text);

function areListed(row: ListedRow, operands: readonly Word[], around: Around): boolean {
  const texts = operands.map(({ text }) => text);
  const verb = row.doing.find((words) => words === texts.slice(0, words.split(" ").length).join(" "));
  if (texts.at(-1) === "exec" && verb?.endsWith("exec") !== true) return false;
  if (row.doing.length > 0 && verb === undefined && texts.length > 0) return false;
  const rest = operands.slice(verb?.split(" ").length ?? 0);
  const files = row.files === undefined ? [] : row.files === "all" ? rest : rest.slice(1);
  return (
    rest.every(({ text }) => row.operands?.test(text) !== false) &&
    files.every((word) => !isUnknown(word) && !isOutside(word.text, around))
  );
}

const isOutside = (path: string, around: Around): boolean =>
  placeOf(path, around).secret !== undefined || leavesWorkspace({ path, access: "read" }, around);
