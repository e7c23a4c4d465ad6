import { expect, test } from "vitest";
import { sensitiveDefaults, sensitiveFiles } from "./sensitive-files.ts";

const asks = (path: string, files = sensitiveFiles()): boolean => files(path)?.edit === "ask";

test.each([
  ".env",
  "sub/.env.production",
  "prod.env",
  ".env~",
  ".env-prod",
  ".env_old",
  ".env.d/prod",
  "a/.env.d/deep/er",
  "keys/server.PEM",
  "/home/dev/.ssh/config",
  "id_ed25519",
  ".npmrc",
  "config/secrets.yaml",
  "main.tfvars",
  ".github/workflows/ci.yml",
  "a/.gitlab-ci.yml",
  "Jenkinsfile",
  ".vscode/tasks.json",
  ".mcp.json",
  ".envrc",
  ".gitattributes",
  "packages/a/package.json",
  "Cargo.lock",
  "package-lock.json",
  "go.sum",
])("A37: a change of %s asks", (path) => expect(asks(path)).toBe(true));

test.each([
  "src/env.ts",
  ".env.example",
  "a/.env.sample",
  ".env-example",
  "a/example.env",
  ".envoy/x",
  "env.ts",
  "docs/key.md",
  "tsconfig.json",
  ".github/a.md",
  "src/lock.ts",
])("A37: a change of %s does not ask", (path) => expect(asks(path)).toBe(false));

test("A37: the last matching pattern wins: true exempts a file, false makes it ask", () => {
  const files = sensitiveFiles({ "**/.env*": true, "docs/**": false, "docs/free/**": true });
  const seen = [".env", "a/.env.local", "docs/a.md", "DOCS/a.md", "docs/free/a.md"].map((path) =>
    asks(path, files),
  );
  expect(seen).toEqual([false, false, true, true, false]);
  expect(asks("docs/a.md", sensitiveFiles({ "docs/a.md": true, "docs/**": false }))).toBe(true);
});

test("A37: workspace settings can add sensitive files, but not exempt any", () => {
  const files = sensitiveFiles({ "src/**": true }, { "**/.env": true, "src/main.ts": false });
  expect([asks(".env", files), asks("src/main.ts", files), asks("src/a.ts", files)]).toEqual([
    true,
    true,
    false,
  ]);
});

test("among sensitive files, only keys and environment files are marked as holding secrets", () => {
  const holding = [".env", "a.pem", "package.json", ".github/workflows/a.yml"].map(
    (path) => sensitiveFiles()(path)?.holds,
  );
  expect(holding).toEqual(["secret", "secret", undefined, undefined]);
});

test("the defaults are at least 21 different patterns", () => {
  const patterns = sensitiveDefaults.map(({ pattern }) => pattern);
  expect(new Set(patterns).size).toBe(patterns.length);
  expect(patterns.length).toBeGreaterThanOrEqual(21);
});
