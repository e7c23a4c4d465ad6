import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withOtherNames } from "./other-names.ts";
import { sensitiveFiles } from "./sensitive-files.ts";

function workspaceWith(...paths: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-names-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "x");
  }
  return root;
}

const secretsOf = (root: string, paths: readonly string[], own = sensitiveFiles()): string[] => {
  const sensitive = withOtherNames(own, root);
  return paths.filter((path) => sensitive(path)?.holds === "secret");
};

test("the hard link of a secret is a secret, in the workspace and named absolutely", () => {
  const root = workspaceWith("pkg/.env", "keys/server.pem", "other.txt", "plain.txt");
  expect(secretsOf(root, ["notes.txt", "k.txt"])).toEqual([]);
  linkSync(join(root, "pkg/.env"), join(root, "notes.txt"));
  linkSync(join(root, "keys/server.pem"), join(root, "k.txt"));
  linkSync(join(root, "other.txt"), join(root, "again.txt"));
  const paths = ["notes.txt", "./k.txt", join(root, "notes.txt"), "other.txt", "again.txt", "plain.txt"];
  expect(secretsOf(root, paths)).toEqual(paths.slice(0, 3));
});

test("the target of a link with a secret's name is a secret, and so is all in a directory", () => {
  const root = workspaceWith("dot/envfile", "dot/aws/config", "dot/cert", "dot/plain");
  mkdirSync(join(root, "app"));
  symlinkSync("../dot/envfile", join(root, "app/.env"));
  symlinkSync("../dot/cert", join(root, "app/server.key"));
  symlinkSync("dot/aws", join(root, ".aws"));
  symlinkSync("dot/plain", join(root, "plain-link"));
  const paths = ["dot/envfile", "dot/cert", "dot/aws/config", "dot/plain", "plain-link", "missing"];
  expect(secretsOf(root, paths)).toEqual(paths.slice(0, 3));
});

test("a name that the user lets go makes no other name a secret", () => {
  const root = workspaceWith(".env", "config.env.example");
  linkSync(join(root, ".env"), join(root, "notes.txt"));
  linkSync(join(root, "config.env.example"), join(root, "copy.txt"));
  expect(secretsOf(root, ["notes.txt", "copy.txt"], sensitiveFiles({ "**/.env": true }))).toEqual([]);
  expect(secretsOf(root, ["notes.txt", "copy.txt"])).toEqual(["notes.txt"]);
});
