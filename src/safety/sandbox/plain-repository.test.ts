import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainConfiguration } from "./plain-repository.ts";
import { looksLikeRepository } from "./protected-places.ts";

const fresh = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
[remote "origin"]
\turl = https://example.com/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
# a comment
`;

test("a configuration written by `git init` or `git clone` is plain", () => {
  expect(isPlainConfiguration(fresh)).toBe(true);
  expect(isPlainConfiguration("")).toBe(true);
});

test.each([
  "[core]\n\tfsmonitor = x",
  "[core] fsmonitor = x",
  "[CORE]\n\tFSMonitor = x",
  "[core]\n\thooksPath = x",
  "[core]\nsshCommand=x",
  "[core]\n\tworktree = /",
  '[filter "x"]\n\tclean = x',
  '[diff "x"]\n\ttextconv = x',
  "[diff]\n\texternal = x",
  "[include]\n\tpath = x",
  '[includeIf "gitdir:/"]\n\tpath = x',
  "[alias]\n\tst = !x",
  "[credential]\n\thelper = !x",
  '[credential "https://x"]\n\thelper = x',
  "[extensions]\n\tworktreeConfig = true",
  "[core]\n\tbare = false \\\n\tfsmonitor = x",
  '[core]\n\tbare = "a\\nb"',
  "[core]\n\tbare = false\n[gpg]\n\tprogram = x",
  "[constructor]\n\tx = y",
  "[remote.origin]\n\tuploadpack = x",
  "no section = x",
])("%j is not plain", (text) => {
  expect(isPlainConfiguration(text)).toBe(false);
  expect(isPlainConfiguration(fresh + text)).toBe(false);
});

test("no text around a key that runs a program makes the configuration plain", () => {
  const piece = fc.constantFrom(
    "[core]",
    "[",
    "]",
    '"',
    "\\",
    "\n",
    "\r",
    " ",
    "=",
    "bare",
    "url",
    "#",
    ";",
    "\0",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), (before, after) => {
      const text = `${before.join("")}\n[core]\nfsmonitor = x\n${after.join("")}`;
      expect(isPlainConfiguration(text)).toBe(false);
    }),
  );
});

test("a directory that leads to the objects of another one is a repository, too", () => {
  expect(looksLikeRepository(new Set(["HEAD", "commondir"]))).toBe(true);
  expect(looksLikeRepository(new Set(["HEAD", "objects", "refs"]))).toBe(true);
  expect(looksLikeRepository(new Set(["HEAD", "objects"]))).toBe(false);
});
