import { expect, test } from "vitest";
import { componentsOf } from "./components.ts";

const refused = (path: string, platform: NodeJS.Platform = "linux"): string => {
  try {
    return `accepted as ${JSON.stringify(componentsOf(path, platform))}`;
  } catch (error) {
    return String(error).replace(/^FileError: The path .* was refused: /s, "");
  }
};

test("a plain path is split into its names, and a dot is the root", () => {
  expect(componentsOf(".", "linux")).toEqual([]);
  expect(componentsOf("a/b c/.d/…/é", "linux")).toEqual(["a", "b c", ".d", "…", "é"]);
  expect(componentsOf("C:x", "linux")).toEqual(["C:x"]);
  expect(componentsOf("a\\b/~/$HOME", "linux")).toEqual(["a\\b", "~", "$HOME"]);
});

test("../../etc/passwd, a/../../x, absolute and empty parts: refused before any access to the disk", () => {
  for (const path of ["..", "../x", "a/../../x", "a/..", "/etc/passwd", "//x", "a//b", "a/", "./a", "a/./b"])
    expect(refused(path), path).toMatch(/^(it holds "\.\."|it is not relative|a part of it is empty)/);
  expect(refused("")).toBe("it is empty");
  expect(refused("a\0b")).toBe("it holds a NUL character");
  expect(refused("a\ud800")).toBe("it holds half of a character");
});

test("a path of more than 160 levels is refused, whether or not it would be odd otherwise", () => {
  expect(componentsOf("a/".repeat(159) + "b", "linux")).toHaveLength(160);
  expect(refused("a/".repeat(160) + "b")).toBe("it has 161 levels, more than 160");
  expect(refused("../".repeat(5000) + "b")).toBe("it has 5001 levels, more than 160");
});

test("on Windows reserved names, streams, drives, backslashes and trailing dots or spaces are refused", () => {
  const names = "con CON.txt nul lpt1.log COM9 com¹ aux conin$ a:b C:x a/b:$DATA .git::$INDEX_ALLOCATION";
  for (const path of [...names.split(" "), "con .txt", "a./b", "a /b", "a\\b", "\\\\?\\C:\\x", ".git "])
    expect(refused(path, "win32"), path).not.toContain("accepted");
  expect(componentsOf("console/nullable.ts/com10", "win32")).toEqual(["console", "nullable.ts", "com10"]);
});

test("a refusal of a very long path stays short", () => {
  expect(() => componentsOf(`/${"x".repeat(100_000)}`, "linux")).toThrow(/^The path "\/x{199}…" was refused/);
});
