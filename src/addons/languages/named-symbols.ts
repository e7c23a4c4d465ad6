/** The symbols that the running language servers know by a part of their name, for a person who types it. */

import { isObject } from "../../base/json.ts";
import type { NamedSymbol } from "../part.ts";
import { limitOf } from "./asking.ts";
import type { Languages } from "./languages.ts";
import { locationsIn } from "./questions.ts";
import { pathOf } from "./uris.ts";

/** Of each server; more are not told apart by a person. */
const mostSymbols = 200;

/** Starts no server, and leaves out those that do not answer. */
export async function symbolsNamed(
  all: Languages,
  query: string,
  signal: AbortSignal,
): Promise<NamedSymbol[]> {
  const running = all.all().flatMap(({ running: server }) => (server?.can.symbols === true ? server : []));
  const limit = limitOf(signal);
  const answers = await Promise.allSettled(
    running.map(({ conversation }) => conversation.request("workspace/symbol", { query }, limit)),
  );
  return answers.flatMap((answer) =>
    answer.status === "fulfilled" && Array.isArray(answer.value)
      ? answer.value.slice(0, mostSymbols).flatMap((one) => symbolIn(one, all.workspace))
      : [],
  );
}

function symbolIn(said: unknown, workspace: string): NamedSymbol[] {
  if (!isObject(said) || typeof said["name"] !== "string") return [];
  const [place] = locationsIn(said["location"]);
  const path = place && pathOf(workspace, place.uri);
  if (!place || path === undefined) return [];
  const kind = kinds[Number(said["kind"]) - 1] ?? "symbol";
  return [{ name: said["name"], path, line: place.at.line + 1, kind }];
}

/** `SymbolKind` of the Language Server Protocol 3.17, from 1. */
const kinds: readonly string[] = [
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "field",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enum member",
  "struct",
  "event",
  "operator",
  "type parameter",
];
