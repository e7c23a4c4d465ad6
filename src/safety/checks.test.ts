import { expect, test } from "vitest";
import { isCheck } from "./checks.ts";

const around = { home: "/home/u", workspace: "/w", directory: "/w" };

test.each([
  "npm test",
  "npm t",
  "npm run test:unit -- --coverage",
  "yarn build",
  "pnpm -r lint",
  "npx vitest run src",
  "npx tsc --noEmit",
  "node_modules/.bin/eslint .",
  "node --test",
  "node cart.test.js",
  "cd web && npm run typecheck",
  "npm run lint && npm test",
  "timeout 60 env CI=1 npm test",
  "npm test > log.txt 2>&1",
  "(cd web; npm test)",
  "time make",
  "make check",
  "cargo clippy -- -D warnings",
  "go vet ./... && go test ./...",
  "python3 -m pytest -q",
  "python -m unittest",
  "uv run pytest",
  "poetry run mypy src",
  "ruff check .",
  "./gradlew build",
  "mvn -q verify",
  "dotnet test",
  "gcc -c main.c",
  "shellcheck run.sh",
  "ctest --test-dir build",
])("%s checks", (line) => {
  expect(isCheck(line, around)).toBe(true);
});

test.each([
  "seq 1 300",
  "echo done",
  "true",
  "ls",
  "cat test.js",
  "git status",
  "git commit -m test",
  "npm install",
  "npm install test",
  "npm run dev",
  "npm --version",
  "npm test -- --help",
  "npm run build --if-present",
  "npm test | tail -5",
  "npm test || true",
  "npm test; echo ok",
  "! npm test",
  "npm test &",
  "echo $(npm test)",
  "bash -c 'npm test; true'",
  "echo npm test",
  "node server.js",
  "node -e 'test()'",
  "prettier --write .",
  "cargo fmt",
  "pytest --collect-only",
  "mkdir test",
  "grep -r test src",
  "docker ps",
  "if npm test; then echo; fi",
])("%s does not", (line) => {
  expect(isCheck(line, around)).toBe(false);
});
