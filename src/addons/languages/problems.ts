/** Parses diagnostics, stores them per file, and determines which are new. */

import { isObject } from "../../base/json.ts";
import { mostFilesWithProblems } from "./bounds.ts";
import type { DocumentPosition, DocumentRange } from "./positions.ts";
import { saidWords } from "./server-words.ts";

/** Problems kept per file. */
const mostProblems = 500;

export type Problem = {
  severity: "error" | "warning";
  /** In the server's unit. */
  at: DocumentPosition;
  message: string;
  source?: string;
  code?: string;
};

/** Parses a list of diagnostics. Hints, information and malformed entries are dropped. */
export function problemsIn(list: unknown): Problem[] {
  if (!Array.isArray(list)) return [];
  const problems: Problem[] = [];
  for (const one of list) {
    if (problems.length >= mostProblems) break;
    const problem = problemIn(one);
    if (problem) problems.push(problem);
  }
  return problems;
}

function problemIn(one: unknown): Problem | undefined {
  if (!isObject(one)) return undefined;
  const { severity = 1, source, code } = one;
  const range = rangeIn(one["range"]);
  const message = isObject(one["message"]) ? one["message"]["value"] : one["message"];
  if (!range || typeof message !== "string" || (severity !== 1 && severity !== 2)) return undefined;
  return {
    severity: severity === 1 ? "error" : "warning",
    at: range.start,
    message: saidWords(message),
    ...(typeof source === "string" ? { source: saidWords(source, 40) } : {}),
    ...(typeof code === "string" || typeof code === "number" ? { code: saidWords(String(code), 60) } : {}),
  };
}

export function rangeIn(value: unknown): DocumentRange | undefined {
  if (!isObject(value)) return undefined;
  const start = positionIn(value["start"]);
  const end = positionIn(value["end"]);
  return start && end ? { start, end } : undefined;
}

function positionIn(value: unknown): DocumentPosition | undefined {
  if (!isObject(value)) return undefined;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Ignores positions, because edits move lines: the same message is the same diagnostic. */
const keyOf = ({ severity, message, source = "", code = "" }: Problem): string =>
  JSON.stringify([severity, source, code, message]);

/** The diagnostics that were not there before; of identical ones, as many as were added. */
export function newOf(now: readonly Problem[], before: readonly Problem[]): Problem[] {
  const old = Map.groupBy(before, keyOf);
  return [...Map.groupBy(now, keyOf)].flatMap(([key, same]) => {
    const known = old.get(key) ?? [];
    const surplus = same.length - known.length;
    if (surplus <= 0) return [];
    const lines = new Set(known.map(({ at }) => at.line));
    const [elsewhere, there] = [
      same.filter(({ at }) => !lines.has(at.line)),
      same.filter(({ at }) => lines.has(at.line)),
    ];
    return [...elsewhere, ...there].slice(0, surplus);
  });
}

export const isError = ({ severity }: Problem): boolean => severity === "error";

/** Sorted by position. */
const inOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((one, other) => one.at.line - other.at.line || one.at.character - other.at.character);

type ReportedProblems = { problems: Problem[]; version?: number; order: number };

/** The latest diagnostics of each file, pushed or pulled. */
export class KnownProblems {
  readonly #sent = new Map<string, ReportedProblems>();
  readonly #asked = new Map<string, Problem[]>();
  #order = 0;
  #namesVersions: boolean;

  /**
   * `namesVersions`: lists for open files carry a version, and lists without one refer to the disk. If not set, this is
   * learned from the first list with a version.
   */
  constructor(namesVersions = false) {
    this.#namesVersions = namesVersions;
  }

  /** The number of lists pushed so far. */
  get order(): number {
    return this.#order;
  }

  /** `isOther`: whether the content sent to the server differs from the file on disk. */
  sent(
    path: string,
    problems: Problem[],
    { version, isOther }: { version: number | undefined; isOther: boolean },
  ): void {
    const known = this.#sent.get(path);
    // Refers to the file on disk, not to the content that was sent.
    if (version === undefined && isOther && this.#namesVersions) return;
    this.#namesVersions ||= version !== undefined;
    // Outdated by a newer version.
    if (version !== undefined && known?.version !== undefined && version < known.version) return;
    if (!known && this.#sent.size >= mostFilesWithProblems) return;
    this.#sent.set(path, { problems, order: ++this.#order, ...(version === undefined ? {} : { version }) });
  }

  answered(path: string, problems: Problem[]): void {
    if (this.#asked.has(path) || this.#asked.size < mostFilesWithProblems) this.#asked.set(path, problems);
  }

  lastSent(path: string): ReportedProblems | undefined {
    return this.#sent.get(path);
  }

  forget(path: string): void {
    this.#sent.delete(path);
    this.#asked.delete(path);
  }

  paths(): string[] {
    return [...new Set([...this.#sent.keys(), ...this.#asked.keys()])];
  }

  /** Deduplicates, because some servers push what they also answer. */
  of(path: string): Problem[] {
    const asked = this.#asked.get(path) ?? [];
    const sent = this.#sent.get(path)?.problems ?? [];
    const seen = new Set(asked.map(placedKey));
    return inOrder([...asked, ...sent.filter((problem) => !seen.has(placedKey(problem)))]);
  }
}

/** A server's own check and the compiler it runs word the same problem differently. */
const placedKey = ({ at, code, message }: Problem): string =>
  JSON.stringify([at.line, at.character, code ?? message]);
