/** Loops in code: binds the loop variable, and detects loops that never end. */

import { passedOver } from "./grammar.ts";
import { nameAt, type Reader, signAt } from "./reading.ts";
import type { Value } from "./value.ts";

const farthest = 200;

/** `[f(x) for x in list]`: x is bound after its use, so the reader must look ahead. */
export function readAhead(reader: Reader, readExpression: (reader: Reader) => Value | undefined): void {
  let depth = 0;
  for (let at = reader.at; at < reader.at + farthest && depth >= 0; at += 1) {
    const sign = signAt(reader, at);
    if (sign === "(" || sign === "[" || sign === "{") depth += 1;
    if (sign === ")" || sign === "]" || sign === "}") depth -= 1;
    if (depth !== 0 || nameAt(reader, at) !== "for") continue;
    const back = reader.at;
    reader.at = at;
    readLoop(reader, readExpression);
    reader.at = back;
    return;
  }
}

const iterates = new Set(["in", "of"]);

/** Consumes the head of a `for` if there is one here, and returns whether there was. */
export function readLoop(reader: Reader, readExpression: (reader: Reader) => Value | undefined): boolean {
  const word = nameAt(reader, reader.at);
  if (word !== "for" && word !== "foreach") return false;
  const from = reader.at;
  reader.at += 1;
  if ([0, 1, 2].map((more) => signAt(reader, from + 1 + more)).join("") === "(;;")
    reader.notes.facts.add("loops");
  const bound: string[] = [];
  for (let at = from + 1; at < from + 8; at += 1) {
    const name = nameAt(reader, at);
    const isGroup = signAt(reader, at) === "(" && bound.length > 0;
    if (iterates.has(name) || isGroup) {
      reader.at = isGroup ? at : at + 1;
      const value = readExpression(reader);
      if (value) for (const variable of bound) reader.names.set(variable, { ...value, path: "" });
      return true;
    }
    if (name !== "" && !passedOver.has(name)) bound.push(name);
    if (signAt(reader, at) === ";" || signAt(reader, at) === "=") break;
  }
  return true;
}
