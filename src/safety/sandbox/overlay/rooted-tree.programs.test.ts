import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeTree } from "../../../base/safe-fs/remove-tree.ts";
import { asText, bytesOf, fromText, shownPath } from "./byte-path.ts";
import { carry, removeAll, setMode } from "./carry.ts";
import { openRooted, readExactly, type RootedTree } from "./rooted-tree.ts";

let place = "";
let tree: RootedTree;
const at = (name: string): string => join(place, "root", name);

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "toolwright-rooted-"));
  mkdirSync(at("a/b"), { recursive: true });
  mkdirSync(join(place, "outside"));
  writeFileSync(join(place, "outside/secret"), "secret");
  writeFileSync(at("a/b/file"), "text");
  symlinkSync("../outside", at("way"));
  tree = openRooted(at(""));
});
afterEach(() => {
  tree.close();
  removeTree(place);
});

test("symlinks are followed neither within a path nor at its end", () => {
  expect(tree.stat("way/secret")).toBe(undefined);
  expect(tree.stat("way")?.isSymbolicLink()).toBe(true);
  expect(tree.list("way")).toBe(undefined);
  expect(readExactly(tree.at("way"), 6)).toBe(undefined);
  symlinkSync("../outside/secret", at("file"));
  expect(readExactly(tree.at("file"), 6)).toBe(undefined);
  expect(setMode(tree, "file", 0o777)).toBe(false);
});

test("a directory replaced by a symlink is never followed outside", () => {
  expect(tree.stat("a/b/file")?.isFile()).toBe(true);
  renameSync(at("a/b"), at("kept"));
  symlinkSync("../../outside", at("a/b"));
  expect(tree.stat("a/b/secret")).toBe(undefined);
  tree.stat("kept");
  expect(tree.stat("a/b/secret")).toBe(undefined);
  expect(tree.at("a/b/secret")).toBe(undefined);
});

test("file names are handled as bytes", () => {
  const odd = "caf\xe9\n";
  writeFileSync(Buffer.concat([Buffer.from(`${at("")}/`), bytesOf(odd)]), "odd");
  expect(tree.list("")?.map(({ name }) => name)).toContain(odd);
  expect(readExactly(tree.at(odd), 3)?.toString()).toBe("odd");
  expect([asText(odd), shownPath(odd), asText(fromText("é☃"))]).toEqual([undefined, "caf\\xe9\\n", "é☃"]);
});

test("a path may be longer than the kernel's limit", () => {
  execFileSync("perl", [
    "-e",
    `chdir $ARGV[0]; for (1..900) { mkdir "x" x 9; chdir "x" x 9 } open(my $h, ">", "f"); print $h "deep"`,
    at(""),
  ]);
  const deep = `${Array(900).fill("x".repeat(9)).join("/")}/f`;
  expect(readExactly(tree.at(deep), 4)?.toString()).toBe("deep");
  expect(removeAll(tree, "x".repeat(9))).toBe(true);
  expect(existsSync(at("x".repeat(9)))).toBe(false);
});

test("a file whose size differs from the expected one is not read", () => {
  expect(readExactly(tree.at("a/b/file"), 4)?.toString()).toBe("text");
  expect(readExactly(tree.at("a/b/file"), 3)).toBe(undefined);
  expect(readExactly(tree.at("a/b/file"), 5)).toBe(undefined);
  execFileSync("mkfifo", [at("fifo")]);
  expect(readExactly(tree.at("fifo"), 0)).toBe(undefined);
});

test("a carried file never lands behind a symlink", () => {
  mkdirSync(join(place, "upper/way"), { recursive: true });
  writeFileSync(join(place, "upper/way/planted"), "x");
  writeFileSync(join(place, "upper/file"), "new");
  const upper = openRooted(join(place, "upper"));
  expect(carry({ upper, lower: tree }, "way/planted")).toBe(false);
  expect(existsSync(join(place, "outside/planted"))).toBe(false);
  symlinkSync("../outside/secret", at("file"));
  expect(carry({ upper, lower: tree }, "file")).toBe(true);
  expect([readFileSync(at("file"), "utf8"), readFileSync(join(place, "outside/secret"), "utf8")]).toEqual([
    "new",
    "secret",
  ]);
  upper.close();
});

test("a tree without permissions is removed, and the targets of its symlinks are not", () => {
  chmodSync(at("a/b"), 0);
  chmodSync(at("a"), 0o100);
  removeTree(at(""));
  expect(existsSync(at(""))).toBe(false);
  expect(readFileSync(join(place, "outside/secret"), "utf8")).toBe("secret");
  removeTree(at("none"));
});
