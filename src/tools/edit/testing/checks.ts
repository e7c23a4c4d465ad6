/** Invariants of every edit, for tests; each check also tells whether the edit was made. */

import { expect } from "vitest";
import { editFileBytes } from "../edits.ts";
import { replaceText } from "../replace.ts";
import type { FileEdit, RepeatedEdit } from "./edits.ts";

export function expectOutsideKept({ bytes, edit, start, end, fresh }: FileEdit): boolean {
  const edited = editFileBytes({ relative: "f", bytes }, [edit]);
  if (!edited.ok) return false;
  const after = Buffer.from(edited.value.bytes);
  const tail = bytes.subarray(end);
  expect(hex(after.subarray(0, start))).toBe(hex(bytes.subarray(0, start)));
  expect(hex(after.subarray(after.length - tail.length))).toBe(hex(tail));
  const middle = after.subarray(start, after.length - tail.length).toString();
  const lines = middle === "" ? [] : middle.replace(/\r?\n$/, "").split(/\r?\n/);
  expect(lines.map((line) => line.trimEnd())).toEqual(fresh);
  return true;
}

const hex = (part: Uint8Array): string => Buffer.from(part).toString("hex");

export function expectIntended({ file, edit, wanted, isOfAnother }: RepeatedEdit): boolean {
  const replaced = replaceText(file, edit);
  if (!replaced.ok || isOfAnother) return false;
  expect(replaced.value.text.replace(/^[ \t]*MARK[ \t]*$/m, "MARK")).toBe(wanted);
  return true;
}
