import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checksGlance, mayHaveChecks, planChecks } from "./find.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** Names that end in "/" become directories. */
function project(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-checks-")));
  roots.push(root);
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, text);
  }
  return root;
}

function plan(files: Record<string, string>, check = "all", path = "."): string {
  const planned = planChecks(project(files), path, check);
  if (!planned.ok) return planned.problem;
  const { command, directory } = planned.value;
  return directory === "." ? command : `${command} in ${directory}`;
}

const scripts = (...names: string[]): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, "x"])) });

test.each<[string, Record<string, string>, string]>([
  [
    "npm",
    { "package.json": scripts("build", "lint", "test", "typecheck", "deploy", "test:watch") },
    "npm run typecheck && npm run lint && npm run build && npm test",
  ],
  ["npm with a lock file", { "package.json": scripts("test"), "package-lock.json": "{}" }, "npm test"],
  ["pnpm", { "package.json": scripts("test", "lint"), "pnpm-lock.yaml": "" }, "pnpm run lint && pnpm test"],
  ["yarn", { "package.json": scripts("test"), "yarn.lock": "" }, "yarn test"],
  ["bun", { "package.json": scripts("test"), "bun.lock": "" }, "bun run test"],
  [
    "the manager that is named",
    { "package.json": '{"packageManager":"pnpm@9.1.0","scripts":{"test":"x"}}', "yarn.lock": "" },
    "pnpm test",
  ],
  [
    "npm, without what keeps watching",
    { "package.json": '{"scripts":{"test":"jest --watch","test:ci":"jest","typecheck":"tsc --watch"}}' },
    "npm run test:ci",
  ],
  [
    "an unknown manager",
    { "package.json": '{"packageManager":"x; rm -rf ~@1","scripts":{"test":"x"}}' },
    "npm test",
  ],
  [
    "other names of scripts",
    { "package.json": scripts("check-types", "eslint", "test:unit", "compile") },
    "npm run check-types && npm run eslint && npm run compile && npm run test:unit",
  ],
  [
    "TypeScript without a script",
    { "package.json": scripts("test"), "tsconfig.json": "{}", "node_modules/": "" },
    "npx --no-install tsc --noEmit && npm test",
  ],
  [
    "deno",
    { "deno.json": '{"tasks":{"test":"deno test -A"}}' },
    "deno check . && deno lint && deno task test",
  ],
  [
    "TypeScript in several projects",
    { "tsconfig.json": '{ "files": [], "references": [{ "path": "./app" }] }', "node_modules/": "" },
    "npx --no-install tsc --build --noEmit",
  ],
  [
    "deno with comments in its file",
    { "deno.jsonc": '{ // see "x"\n "tasks": { "test": "deno test -A /* ok */", /* no */ "lint": "x", }, }' },
    "deno check . && deno task lint && deno task test",
  ],
  [
    "targets of make in one line",
    { Makefile: "test lint: deps\n\tx\nbuild/%.o: x\n\ty\n" },
    "make lint && make test",
  ],
  [
    "make",
    { Makefile: "CC := gcc\n.PHONY: test\ntest: build\n\tgo test\nbuild:\n\tgo build\nclean:\n\trm x\n" },
    "make build && make test",
  ],
  [
    "just",
    { justfile: "set shell := ['bash']\ntest *args:\n  x\n@lint:\n  y\nrelease version:\n  z\n" },
    "just lint && just test",
  ],
  [
    "just, without recipes that need an argument",
    { justfile: "test filter:\n  x\nbuild target='all' *more:\n  y\nalias lint := build\n" },
    "just build",
  ],
  [
    "mise in a table",
    { "mise.toml": '[tasks]\ntest = "x"\n"lint:js" = { run = "y" }\n[env]\nbuild = "z"\n' },
    "mise run lint:js && mise run test",
  ],
  [
    "task",
    {
      "Taskfile.yml":
        "version: '3'\nvars:\n  test: x\ntasks:\n  test:\n    cmds: [x]\n  lint:\n    cmds: [y]\n",
    },
    "task lint && task test",
  ],
  [
    "mise",
    { "mise.toml": '[tasks.test]\nrun = "x"\n[tasks."lint:js"]\nrun = "y"\n' },
    "mise run lint:js && mise run test",
  ],
  ["rake", { Rakefile: "task :test do\nend\n", "Gemfile.lock": "" }, "bundle exec rake test"],
  ["cargo", { "Cargo.toml": "[package]\n" }, "cargo check && cargo test"],
  [
    "a cargo workspace with clippy",
    { "Cargo.toml": "[workspace]\n", "clippy.toml": "" },
    "cargo check --workspace && cargo clippy --workspace && cargo test --workspace",
  ],
  ["go", { "go.mod": "module x\n" }, "go vet ./... && go build ./... && go test ./..."],
  [
    "go with its linter",
    { "go.mod": "", ".golangci.yml": "" },
    "golangci-lint run ./... && go build ./... && go test ./...",
  ],
  [
    "a go workspace, whose root is no module",
    { "go.work": "go 1.22\n\nuse (\n\t./a // first\n\t./cmd/b\n\t../other\n\t./$(id)\n)\nuse ./c\n" },
    "go vet ./a/... ./cmd/b/... ./c/... && go build ./a/... ./cmd/b/... ./c/... && go test ./a/... ./cmd/b/... ./c/...",
  ],
  [
    "pytest",
    { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n" },
    "mypy . && ruff check . && pytest",
  ],
  [
    "uv",
    {
      "pyproject.toml": '[dependency-groups]\ndev = [\n  "pytest>=8",\n]\n[tool.ruff.lint]\n',
      "uv.lock": "",
    },
    "uv run ruff check . && uv run pytest",
  ],
  [
    "poetry",
    { "pyproject.toml": '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n', "poetry.lock": "" },
    "poetry run pytest",
  ],
  [
    "pytest in a list of one line",
    { "pyproject.toml": '[dependency-groups]\ndev = ["ruff", "pytest>=8"]\n', "tests/": "" },
    "pytest",
  ],
  [
    "python, once for each kind",
    {
      "pyproject.toml": "[tool.pytest.ini_options]\n",
      "tox.ini": "[tox]\n",
      "noxfile.py": "",
      ".flake8": "",
      "ruff.toml": "",
    },
    "ruff check . && pytest",
  ],
  ["an environment of the project", { "pytest.ini": "", ".venv/": "" }, ".venv/bin/pytest"],
  ["tox", { "tox.ini": "[tox]\n" }, "tox"],
  ["nox", { "noxfile.py": "" }, "nox"],
  ["django", { "manage.py": "" }, "python3 manage.py test"],
  ["unittest", { "setup.py": "x", "tests/": "" }, "python3 -m unittest discover"],
  ["unittest beside the code", { "setup.py": "x", "test_price.py": "" }, "python3 -m unittest discover"],
  ["gradle", { "build.gradle.kts": "", gradlew: "" }, "./gradlew assemble && ./gradlew test"],
  ["maven", { "pom.xml": "" }, "mvn -B compile && mvn -B test"],
  ["dotnet", { "App.sln": "" }, "dotnet build && dotnet test"],
  ["mix", { "mix.exs": "", ".formatter.exs": "" }, "mix format --check-formatted && mix compile && mix test"],
  ["ruby", { Gemfile: "", ".rspec": "", ".rubocop.yml": "" }, "bundle exec rubocop && bundle exec rspec"],
  [
    "a gem",
    { Gemfile: "", "bin/console": "", Rakefile: "Rake::TestTask.new(:test) do |t|\nend\n" },
    "rake test",
  ],
  ["a gem that names nothing", { Gemfile: "", Rakefile: "Rake::TestTask.new do |t|\nend\n" }, "rake test"],
  ["rails", { Gemfile: "", "config.ru": "", "bin/rails": "" }, "bin/rails test"],
  [
    "composer",
    { "composer.json": '{"scripts":{"test":"phpunit"}}', "phpstan.neon": "" },
    "vendor/bin/phpstan analyse && composer run-script test",
  ],
  ["phpunit", { "composer.json": "{}", "phpunit.xml.dist": "" }, "vendor/bin/phpunit"],
  [
    "cmake presets",
    {
      "CMakePresets.json": '{"buildPresets":[{"name":"dev"}],"testPresets":[{"name":"dev"}]}',
      "CMakeLists.txt": "",
    },
    "cmake --build --preset dev && ctest --preset dev",
  ],
  [
    "cmake",
    { "CMakeLists.txt": "", "build/": "" },
    "cmake --build build && ctest --test-dir build --output-on-failure",
  ],
  [
    "cmake in a fresh checkout",
    { "CMakeLists.txt": "" },
    "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
  ],
  ["meson", { "meson.build": "", "build/": "" }, "meson compile -C build && meson test -C build"],
  [
    "meson in a fresh checkout",
    { "meson.build": "" },
    "meson setup build && meson compile -C build && meson test -C build",
  ],
  ["swift", { "Package.swift": "" }, "swift build && swift test"],
  [
    "flutter",
    { "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n" },
    "flutter analyze && flutter test",
  ],
  [
    "two languages",
    { "Cargo.toml": "", "go.mod": "" },
    "cargo check && go vet ./... && go build ./... && cargo test && go test ./...",
  ],
  [
    "a make file before a language",
    { "go.mod": "", Makefile: "test:\n\tgo test -race ./...\n" },
    "go vet ./... && go build ./... && make test",
  ],
])("B7: the checks of %s are found", (_, files, command) => {
  expect(plan(files)).toBe(command);
});

test("checks can be requested by kind, name or command", () => {
  const files = { "package.json": scripts("lint", "test", "test:e2e"), "Cargo.toml": "" };
  expect(plan(files, "test")).toBe("npm test");
  expect(plan(files, "Tests")).toBe("npm test");
  expect(plan(files, "test:e2e")).toBe("npm run test:e2e");
  expect(plan(files, "npm run lint")).toBe("npm run lint");
  expect(plan(files, "cargo test")).toBe("cargo test");
  expect(plan(files, "type-check")).toBe("cargo check");
});

test("compiled tests are built first, so that they match the current sources", () => {
  const presets = '{"buildPresets":[{"name":"dev"}],"testPresets":[{"name":"ci"}]}';
  const cmake = { "CMakeLists.txt": "", "build/": "" };
  expect(plan(cmake, "test")).toBe("cmake --build build && ctest --test-dir build --output-on-failure");
  expect(plan({ "CMakePresets.json": presets }, "test")).toBe(
    "cmake --build --preset dev && ctest --preset ci",
  );
  expect(plan({ "CMakeLists.txt": "" }, "test")).toMatch(/^cmake -S \. -B build && .* && ctest/u);
  expect(plan({ "meson.build": "" }, "test")).toBe("meson setup build && meson test -C build");
});

test("without checks in the root, the message says how to request those of a part", () => {
  const files = {
    "package.json": '{"workspaces":["packages/*"]}',
    "packages/a/package.json": scripts("test"),
  };
  expect(plan(files)).toMatch(/If only a part of it has checks, give its directory as "path"\./u);
});

test("a script that is not a check is refused with a list of the available checks", () => {
  const files = { "package.json": scripts("deploy", "test", "lint:fix", "prepublish") };
  for (const name of ["deploy", "lint:fix", "prepublish", "rm -rf ~", "build"])
    expect(plan(files, name)).toBe(
      `There is no check ${JSON.stringify(name)} in the workspace's root. There are:\n- test: npm test (test)`,
    );
});

test("an unreadable manifest is reported", () => {
  expect(plan({ "package.json": '{ "scripts": ' })).toMatch(
    /^package\.json is not valid JSON.* No checks were/u,
  );
  expect(plan({ "package.json": "{}" })).toMatch(/^No checks were found/u);
});

test("script names with shell syntax are not offered as checks", () => {
  const evil = [
    "test; rm -rf ~",
    "test$(id)",
    "test`id`",
    "--test",
    "test && x",
    "test\nlint",
    "test|x",
    "test >x",
    "test'x",
  ];
  expect(plan({ "package.json": scripts(...evil, "test:ok") })).toBe("npm run test:ok");
  expect(plan({ Makefile: evil.map((name) => `${name}:\n\tx\n`).join("") + "check:\n\tx\n" })).toMatch(
    /^make (?:test|check)$|^make lint && make (?:test|check)$/u,
  );
  expect(
    plan({ "CMakePresets.json": '{"buildPresets":[{"name":"a; id"}],"testPresets":[{"name":"b"}]}' }),
  ).toBe("ctest --preset b");
});

test("npm's placeholder test script is not a check", () => {
  const manifest = { scripts: { test: 'echo "Error: no test specified" && exit 1' } };
  expect(plan({ "package.json": JSON.stringify(manifest) })).toMatch(
    /^No checks were found in the workspace's root\. Looked for package\.json/u,
  );
});

test("a path resolves to the nearest enclosing directory with checks", () => {
  const files = {
    "package.json": scripts("test"),
    "yarn.lock": "",
    "packages/a/package.json": scripts("lint"),
    "packages/a/src/x.ts": "",
    "docs/a.md": "",
  };
  expect(plan(files, "all", "packages/a/src/x.ts")).toBe("yarn run lint in packages/a");
  expect(plan(files, "all", "docs")).toBe("yarn test");
  expect(plan(files, "all", "nowhere/else")).toMatch(/There is no directory nowhere\/else/u);
});

test("paths and symlinks outside the workspace, FIFOs and directories named like manifests are not read", () => {
  const outside = project({ "package.json": scripts("test") });
  const root = project({ "inner/a.txt": "" });
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, "package.json"), join(root, "inner", "package.json"));
  execFileSync("mkfifo", [join(root, "Makefile")]);
  mkdirSync(join(root, "justfile"));
  for (const path of ["link", "inner", "..", outside, "/"])
    expect(planChecks(root, path, "all"), path).toMatchObject({ ok: false });
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"scripts":[]}',
  '{"scripts":{"test":1}}',
  `{"scripts":${"[".repeat(50_000)}`,
  "\0".repeat(1000),
])("a malformed manifest (%#) yields no checks", (manifest) => {
  expect(plan({ "package.json": manifest })).toMatch(/No checks were found/u);
});

test("a quick look at a directory tells whether it may have checks", () => {
  expect(mayHaveChecks(project({ "a.txt": "" }))).toBe(false);
  expect(mayHaveChecks(project({ "App.csproj": "" }))).toBe(true);
  expect(mayHaveChecks(project({ "package.json": "" }))).toBe(true);
  expect(mayHaveChecks("/nonexistent")).toBe(false);
});

test("the glance notices a manifest that appears or disappears, whatever the directory's timestamp", () => {
  const root = project({ "a.txt": "" });
  const [manifest, glance, gone] = [
    join(root, "package.json"),
    checksGlance(root),
    checksGlance("/nonexistent"),
  ];
  expect([glance(), gone()]).toEqual([false, false]);
  writeFileSync(manifest, "{}");
  expect([glance(), gone()]).toEqual([true, false]);
  const longAgo = new Date(1_000_000);
  utimesSync(root, longAgo, longAgo);
  expect([glance(), glance()]).toEqual([true, true]);
  rmSync(manifest);
  expect(glance()).toBe(false);
});
