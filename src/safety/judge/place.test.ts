import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { unknown } from "../command-line/word.ts";
import { secrets } from "../sandbox/secrets.ts";
import { mayMatch } from "./names.ts";
import { placeOf } from "./place.ts";

const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: "/home/dev/proj/src" };
const place = (path: string) => placeOf(path, around);

test.each<[string, string]>([
  ["/", "root"],
  ["//./", "root"],
  ["/*", "root"],
  ["/etc/hosts", "system"],
  ["/et?", "system"],
  ["/usr", "system"],
  ["/home", "home"],
  ["/home/*", "home"],
  ["~", "home"],
  ["~/.*", "home"],
  ["/root", "home"],
  ["~/notes.txt", "at-home"],
  ["~/a/b", "in-home"],
  ["..", "workspace"],
  ["../..", "home"],
  [".", "in-workspace"],
  ["a/../../b", "in-workspace"],
  ["../.git/config", "git"],
  ["../.GIT/hooks/x", "git"],
  ["/tmp/x", "temporary"],
  ["/dev/null", "nothing"],
  ["/dev/sda1", "device"],
  ["/dev/tcp/h/80", "network"],
  ["/proc/sys/kernel/core_pattern", "kernel"],
  ["/srv/www", "elsewhere"],
  [`${unknown}/x`, "unknown"],
  [`/home/dev/${unknown}`, "home"],
  [`./${unknown}`, "in-workspace"],
])("%j is a place of the kind %s", (path, kind) => {
  expect(place(path).kind).toBe(kind);
});

test("a parent of the workspace is recognised, and a sibling with the same prefix is outside (CVE-2025-54794)", () => {
  const other = { home: "/home/dev", workspace: "/srv/app", directory: "/srv/app" };
  expect(placeOf("/srv", other).kind).toBe("above-workspace");
  expect(placeOf("..", { ...other, workspace: "/srv/a/b", directory: "/srv/a/b" }).kind).toBe(
    "above-workspace",
  );
  expect(placeOf("/srv/app-evil/x", other).kind).toBe("elsewhere");
  expect(placeOf("/srv/app/x", other).kind).toBe("in-workspace");
});

test("trusted and secret files are recognised by name, in any spelling and through patterns", () => {
  for (const path of [
    "~/.bashrc",
    "~/.ssh/authorized_keys",
    "/home/other/.profile",
    "~/.config/systemd/user/x.service",
    "../.vscode/tasks.json",
    ".envrc",
    "~/.b*",
    "~/.BASHRC",
  ])
    expect([path, place(path).trust === undefined]).toEqual([path, false]);
  for (const path of [
    "~/.ssh/id_rsa",
    "~/.aws/credentials",
    ".env",
    ".env.production",
    "/etc/shadow",
    "/proc/1/environ",
    "server.key",
    "~/.ss*/id_*",
    ".e*",
    "/home/*/.netrc",
  ])
    expect([path, place(path).secret === undefined]).toEqual([path, false]);
  for (const path of [
    "a.ts",
    ".env.example",
    "~/.ssh/id_rsa.pub",
    "*.json",
    "*",
    "key.ts",
    "environment.ts",
    "/etc/hosts",
    "package.json",
    `${unknown}.txt`,
  ])
    expect([path, place(path).secret]).toEqual([path, undefined]);
});

test("every place that the sandbox hides counts as secret, in a home and elsewhere", () => {
  const hidden = secrets
    .filter(({ shown }) => shown === "hidden")
    .map(({ path }) => path.replaceAll("*", "x"));
  expect(hidden.filter((path) => place(path).secret === undefined)).toEqual([]);
});

test("mayMatch accepts names that a shell would match", () => {
  expect(mayMatch(".b?shrc", ".bashrc")).toBe(true);
  expect(mayMatch("[.]bashrc", ".bashrc")).toBe(true);
  expect(mayMatch(`.${unknown}rc`, ".bashrc")).toBe(true);
  expect(mayMatch("*.ts", ".bashrc")).toBe(false);
  const letters = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 200 }).map((all) => all.join(""));
  fc.assert(fc.property(letters, letters, (one, other) => void mayMatch(one, other)));
});

test("no path makes placeOf throw", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (path) => void place(path)));
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("/", "..", ".", "~", "*", unknown, "a", ".git", "home"), { maxLength: 30 }),
      (names) => void place(names.join("/")),
    ),
  );
});
