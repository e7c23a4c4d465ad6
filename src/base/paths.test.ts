import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cacheDirectory, insideWorkspace, isWithin, stateDirectory } from "./paths.ts";

let base = "";
let root = "";

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolwright-paths-")));
  root = join(base, "app");
  await mkdir(join(root, "src"), { recursive: true });
  await mkdir(join(base, "app-evil"));
  await writeFile(join(root, "src/a.ts"), "a");
});
afterEach(() => rm(base, { recursive: true, force: true }));

test("paths inside the workspace are accepted, relative or absolute, whether they exist or not", async () => {
  const inside = async (path: string): Promise<unknown> => {
    const place = await insideWorkspace(root, path);
    return place.ok ? place.value : place;
  };
  const at = (relative: string): unknown => ({ absolute: join(root, relative), relative });
  expect(await inside("src/a.ts")).toEqual(at("src/a.ts"));
  expect(await inside("./src//b/../a.ts")).toEqual(at("src/a.ts"));
  expect(await inside(join(root, "new/deep.txt"))).toEqual(at("new/deep.txt"));
  expect(await inside("..data/x")).toEqual(at("..data/x"));
  expect(await inside("~backup")).toEqual(at("~backup"));
  expect(await inside("$HOME/x")).toEqual(at("$HOME/x"));
  expect(await inside("src/a.ts/below-a-file")).toEqual(at("src/a.ts/below-a-file"));
  expect(await inside(".")).toEqual({ absolute: root, relative: "." });
  expect(await inside(root)).toEqual({ absolute: root, relative: "." });
});

test("a path that leads outside is refused with one line that says why", async () => {
  const paths = [
    "..",
    "../app-evil",
    "../app-evil/x",
    "../../etc/passwd",
    "src/../../x",
    "a/../../x",
    "./../x",
    "/",
    "/etc/passwd",
    join(base, "app-evil"),
    join(base, "app-evil/x"),
    `${root}/../app-evil`,
    `${root}-evil`,
    "//etc/passwd",
    "/proc/self/cwd/x",
    "/dev/zero",
    "~",
    "~/x",
    "",
    "a\0b",
    "file:///etc/passwd",
    "https://example.org/x",
  ];
  for (const path of paths) {
    const place = await insideWorkspace(root, path);
    expect(place, path).toMatchObject({ ok: false });
    if (!place.ok) expect(place.problem).toMatch(/^The path ".*" was refused: [^\n]+\.$/);
  }
});

test("a refusal shows the path as it was written, and of a long one the first 200 characters", async () => {
  const why = "was refused: it is outside the workspace; use a path inside it.";
  const long = `/${"a".repeat(199)}`;
  expect(await insideWorkspace(root, "/b")).toEqual({ ok: false, problem: `The path "/b" ${why}` });
  expect(await insideWorkspace(root, long)).toEqual({ ok: false, problem: `The path "${long}" ${why}` });
  expect(await insideWorkspace(root, `${long}b`)).toEqual({
    ok: false,
    problem: `The path "${long}…" ${why}`,
  });
});

test("1.F: a directory whose name starts with the root's name is not inside the root", () => {
  expect(isWithin("/srv/app", "/srv/app-evil")).toBe(false);
  expect(isWithin("/srv/app", "/srv/app/x")).toBe(true);
  expect(isWithin("/srv/app", "/srv/app")).toBe(true);
  expect(isWithin("/srv/app", "/srv/app/..x")).toBe(true);
  expect(isWithin("/srv/app", "/srv")).toBe(false);
});

const outside = (name: string): string => `the symbolic link ${name} leads outside the workspace.`;

test("symlinks inside resolve to their target; symlinks out are refused: file, parent, chain, loop, dangling", async () => {
  await symlink("src", join(root, "inner"));
  await symlink(join(root, "src/a.ts"), join(root, "absolute"));
  await symlink("/etc", join(root, "out"));
  await symlink("../app-evil/x", join(root, "dangling-out"));
  await symlink("src/later.ts", join(root, "dangling-in"));
  await symlink("out", join(root, "chain"));
  await symlink("loop-b", join(root, "loop-a"));
  await symlink("loop-a", join(root, "loop-b"));
  const relative = async (path: string): Promise<unknown> => {
    const place = await insideWorkspace(root, path);
    return place.ok ? place.value.relative : place.problem.replace(/^.*refused: /, "");
  };
  expect(await relative("inner/a.ts")).toBe("src/a.ts");
  expect(await relative("absolute")).toBe("src/a.ts");
  expect(await relative("dangling-in")).toBe("src/later.ts");
  expect(await relative("out")).toBe(outside("out"));
  expect(await relative("out/passwd")).toBe(outside("out"));
  expect(await relative("chain/passwd")).toBe(outside("out"));
  expect(await relative("dangling-out")).toBe(outside("dangling-out"));
  expect(await relative("loop-a/x")).toBe("it goes through too many symbolic links.");
});

test("a link below the root is read from where it lies, and what follows it from where it leads", async () => {
  await symlink("../other", join(root, "src/up"));
  await symlink("../src/a.ts", join(root, "src/same"));
  expect(await insideWorkspace(root, "src/up/x")).toEqual({
    ok: true,
    value: { absolute: join(root, "other/x"), relative: "other/x" },
  });
  expect(await insideWorkspace(root, "src/same")).toMatchObject({ value: { relative: "src/a.ts" } });
});

test("a path may go through 40 links, and no more", async () => {
  await Promise.all(
    Array.from({ length: 41 }, (_, at) =>
      symlink(at === 0 ? "src" : `link-${at}`, join(root, `link-${at + 1}`)),
    ),
  );
  expect(await insideWorkspace(root, "link-40/a.ts")).toMatchObject({ value: { relative: "src/a.ts" } });
  expect(await insideWorkspace(root, "link-41/a.ts")).toMatchObject({ ok: false });
});

test("a root that is reached through a symlink accepts paths under both of its names", async () => {
  const alias = join(base, "alias");
  await symlink(root, alias);
  const expected = { ok: true, value: { absolute: join(root, "src/a.ts"), relative: "src/a.ts" } };
  expect(await insideWorkspace(alias, join(alias, "src/a.ts"))).toEqual(expected);
  expect(await insideWorkspace(alias, join(root, "src/a.ts"))).toEqual(expected);
  expect(await insideWorkspace(alias, "src/a.ts")).toEqual(expected);
});

test("/proc, /dev and /sys are refused even when the workspace is the root of the file system", async () => {
  for (const path of ["proc/self/environ", "/dev/null", "sys/kernel", "dev"]) {
    expect(await insideWorkspace("/", path), path).toMatchObject({ ok: false });
  }
});

test("the state directory follows TOOLWRIGHT_HOME, then XDG_STATE_HOME, then the home directory", () => {
  expect(stateDirectory({ TOOLWRIGHT_HOME: "/t", XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/t");
  expect(stateDirectory({ XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/toolwright");
  expect(stateDirectory({ XDG_STATE_HOME: "relative", HOME: "/h" })).toBe("/h/.local/state/toolwright");
  expect(stateDirectory({ HOME: "/h" })).toBe("/h/.local/state/toolwright");
});

test("the cache directory follows XDG_CACHE_HOME, then the home directory", () => {
  expect(cacheDirectory({ XDG_CACHE_HOME: "/x", HOME: "/h" })).toBe("/x/toolwright");
  expect(cacheDirectory({ XDG_CACHE_HOME: "relative", HOME: "/h" })).toBe("/h/.cache/toolwright");
  expect(cacheDirectory({ HOME: "/h" })).toBe("/h/.cache/toolwright");
});

test("paths that need to be resolved are compared by where they lead", () => {
  expect(isWithin("/srv/app/", "/srv/app/x")).toBe(true);
  expect(isWithin("/srv/app", "/srv/app/../other")).toBe(false);
  expect(isWithin("/srv/./app", "/srv//app/x")).toBe(true);
  expect(isWithin("/", "/srv")).toBe(true);
  expect(isWithin("/srv/.x", "/srv/.x/..y")).toBe(true);
  expect(isWithin("/srv", "/")).toBe(false);
});
