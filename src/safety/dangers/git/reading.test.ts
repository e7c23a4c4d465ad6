import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";
import { git } from "./git.ts";

const prints = (line: string): string[] =>
  told(effectsOf([git], line)).filter((words) => words.startsWith("prints"));

test.each([
  ["git rev-parse --show-toplevel", "/home/dev/proj"],
  ["git rev-parse --show-cdup", "/home/dev/proj"],
  ["git rev-parse --git-dir", "/home/dev/proj/.git"],
  ["git rev-parse --absolute-git-dir", "/home/dev/proj/.git"],
  ["git rev-parse --path-format=absolute --git-common-dir", "/home/dev/proj/.git"],
  ["git rev-parse --git-path hooks/pre-commit", "/home/dev/proj/.git/hooks/pre-commit"],
])("%s prints the repository's path", (line, path) => expect(prints(line)).toEqual([`prints ${path}`]));

test.each([
  "git rev-parse HEAD",
  "git rev-parse --short HEAD",
  "git rev-parse --abbrev-ref HEAD",
  "git rev-parse",
])("%s prints no path", (line) => expect(prints(line)).toEqual([]));
