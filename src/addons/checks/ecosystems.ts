/** The default checks of each kind of project, for projects that define none: one row each. */

import { type Check, type CheckKind, kinds } from "./check.ts";
import { javaChecks } from "./java.ts";
import type { CheckDirectory } from "./place.ts";
import { pythonChecks } from "./python.ts";

/** A command, or a function that derives it from the directory's contents; undefined if there is none. */
type CheckCommand = string | ((place: CheckDirectory) => string | undefined);

type EcosystemRow = {
  /** File names, or endings ("*.sln"): the row applies if any of them is present. */
  files: readonly string[];
} & { [kind in CheckKind]?: CheckCommand };

const where = (name: string, command: string, otherwise?: string) => (place: CheckDirectory) =>
  place.names.has(name) ? command : otherwise;

const rows: readonly EcosystemRow[] = [
  {
    files: ["Cargo.toml"],
    types: (place) => `cargo check${inWorkspace(place)}`,
    lint: (place) =>
      place.names.has("clippy.toml") ||
      place.names.has(".clippy.toml") ||
      /^\[(?:workspace\.)?lints\.clippy\]/mu.test(place.read("Cargo.toml"))
        ? `cargo clippy${inWorkspace(place)}`
        : undefined,
    test: (place) => `cargo test${inWorkspace(place)}`,
  },
  {
    files: ["go.mod", "go.work"],
    build: (place) => `go build ${goPackages(place)}`,
    lint: (place) =>
      [".golangci.yml", ".golangci.yaml", ".golangci.toml"].some((name) => place.names.has(name))
        ? `golangci-lint run ${goPackages(place)}`
        : `go vet ${goPackages(place)}`,
    test: (place) => `go test ${goPackages(place)}`,
  },
  { files: ["deno.json", "deno.jsonc"], types: "deno check .", lint: "deno lint", test: "deno test" },
  {
    files: ["tsconfig.json"],
    types: (place) => (place.isAbove("node_modules") ? `npx --no-install ${compilerFor(place)}` : undefined),
  },
  {
    files: ["*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"],
    build: "dotnet build",
    test: "dotnet test",
  },
  {
    files: ["mix.exs"],
    lint: (place) =>
      place.names.has(".credo.exs")
        ? "mix credo"
        : where(".formatter.exs", "mix format --check-formatted")(place),
    build: "mix compile",
    test: "mix test",
  },
  {
    files: ["Gemfile", ".rspec", "*.gemspec"],
    lint: where(".rubocop.yml", "bundle exec rubocop"),
    test: (place) =>
      place.names.has(".rspec") || place.names.has("spec")
        ? "bundle exec rspec"
        : where("config.ru", "bin/rails test")(place),
  },
  {
    files: ["composer.json"],
    types: (place) =>
      ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"].some((name) => place.names.has(name))
        ? "vendor/bin/phpstan analyse"
        : undefined,
    test: (place) =>
      ["phpunit.xml", "phpunit.xml.dist"].some((name) => place.names.has(name))
        ? "vendor/bin/phpunit"
        : undefined,
  },
  { files: ["Package.swift"], build: "swift build", test: "swift test" },
  {
    files: ["pubspec.yaml"],
    lint: (place) => (isFlutter(place) ? "flutter analyze" : "dart analyze"),
    test: (place) => (isFlutter(place) ? "flutter test" : "dart test"),
  },
  { files: ["stack.yaml"], build: "stack build", test: "stack test" },
  { files: ["cabal.project", "*.cabal"], build: "cabal build all", test: "cabal test all" },
  { files: ["build.zig"], build: "zig build", test: "zig build test" },
  { files: ["dune-project"], build: "dune build", test: "dune test" },
  { files: ["gleam.toml"], types: "gleam check", test: "gleam test" },
  { files: ["rebar.config"], build: "rebar3 compile", test: "rebar3 eunit" },
  {
    files: ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"],
    build: "bazel build //...",
    test: "bazel test //...",
  },
  { files: ["build.sbt"], build: "sbt compile", test: "sbt test" },
  { files: ["project.clj"], test: "lein test" },
  { files: ["Project.toml"], test: `julia --project -e "using Pkg; Pkg.test()"` },
  {
    files: ["meson.build"],
    build: where("build", "meson compile -C build", "meson setup build && meson compile -C build"),
    test: where("build", "meson test -C build", "meson setup build && meson test -C build"),
  },
  {
    files: ["CMakePresets.json"],
    build: (place) => preset(place, "build"),
    test: (place) => afterBuild(preset(place, "build"), preset(place, "test")),
  },
  {
    files: ["CMakeLists.txt"],
    build: (place) => (place.names.has("CMakePresets.json") ? undefined : cmakeBuild(place)),
    test: (place) =>
      place.names.has("CMakePresets.json")
        ? undefined
        : afterBuild(cmakeBuild(place), "ctest --test-dir build --output-on-failure"),
  },
];

export function usualChecks(place: CheckDirectory): Check[] {
  const ofRows = rows.flatMap((row) => {
    const from = present(row.files, place);
    return from === undefined
      ? []
      : kinds.flatMap((kind) => checkOf(row[kind], { kind, group: from, place }));
  });
  return [...pythonChecks(place), ...javaChecks(place), ...ofRows];
}

export const usualFiles = (): readonly string[] => rows.flatMap(({ files }) => files);

/** The first of these files that is present. */
export function present(files: readonly string[], { names }: CheckDirectory): string | undefined {
  for (const file of files) {
    if (!file.startsWith("*")) {
      if (names.has(file)) return file;
      continue;
    }
    const found = [...names].find((name) => name.endsWith(file.slice(1)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkOf(
  command: CheckCommand | undefined,
  { kind, group, place }: { kind: CheckKind; group: string; place: CheckDirectory },
): Check[] {
  const written = typeof command === "function" ? command(place) : command;
  return written === undefined ? [] : [{ kind, name: written, command: written, group }];
}

const inWorkspace = (place: CheckDirectory): string =>
  /^\[workspace\]/mu.test(place.read("Cargo.toml")) ? " --workspace" : "";

const isFlutter = (place: CheckDirectory): boolean => /^\s{0,8}flutter:/mu.test(place.read("pubspec.yaml"));

/** In a workspace whose root is no module, `./...` matches nothing, so its modules are listed. */
function goPackages(place: CheckDirectory): string {
  const text = place.read("go.work");
  const blocks = [...text.matchAll(/^use\s*\(([^)]*)/gmu)].map(([, inside = ""]) => inside);
  const single = [...text.matchAll(/^use[ \t]+([^\s(]+)/gmu)].map(([, path = ""]) => path);
  const paths = [...blocks.flatMap((block) => block.replaceAll(/\/\/.*/gu, "").split(/\s+/u)), ...single]
    .map((path) => path.replace(/^\.\//u, "").replace(/\/$/u, ""))
    .filter((path) => path === "." || /^\w[\w./-]{0,199}$/u.test(path));
  if (paths.length === 0) return "./...";
  return paths.map((path) => (path === "." ? "./..." : `./${path}/...`)).join(" ");
}

/** A tsconfig.json with only project references checks nothing without `--build`. */
const compilerFor = (place: CheckDirectory): string =>
  /"references"\s*:/u.test(place.read("tsconfig.json")) ? "tsc --build --noEmit" : "tsc --noEmit";

const cmakeBuild = ({ names }: CheckDirectory): string =>
  names.has("build") ? "cmake --build build" : "cmake -S . -B build && cmake --build build";

/** CTest runs the last build, which may be older than the sources, so we build first. */
const afterBuild = (build: string | undefined, test: string | undefined): string | undefined =>
  build === undefined || test === undefined ? test : `${build} && ${test}`;

/** The first preset that is not hidden. */
function preset(place: CheckDirectory, kind: "build" | "test"): string | undefined {
  const text = place.read("CMakePresets.json");
  const list = new RegExp(`"${kind}Presets"\\s*:\\s*\\[([^\\]]*)`, "u").exec(text)?.[1] ?? "";
  const name = /"name"\s*:\s*"([\w.-]+)"/u.exec(list)?.[1];
  if (name === undefined) return undefined;
  return kind === "build" ? `cmake --build --preset ${name}` : `ctest --preset ${name}`;
}
