import fc from "fast-check";
import { expect, test } from "vitest";
import { literal, unknown, unknownWord, type Word } from "../../command-line/word.ts";
import { everyProgram } from "../index.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { useOf } from "../use.ts";

const tell = (line: string): string[] => told(effectsOf([], line));

test.each([
  "make",
  "make test -j8 CC=clang",
  "make -n deploy",
  "make deploy-check",
  "just build",
  "cmake -B build -DCMAKE_BUILD_TYPE=Release",
  "ninja -C build",
  "gradle test",
  "mvn -q verify",
  "dotnet test",
  "eslint . --fix",
  "prettier --write .",
  "vitest run --project fast",
  "jest --coverage",
  "pytest -q -k name --maxfail=1",
  "pytest -p no:cacheprovider",
  "tox -e py311",
  "ruff check --fix .",
  "mypy src",
  "rubocop -a",
  "rspec spec",
  "rake test",
  "rails server",
  "phpunit",
  "clang-format -i a.c",
  "webpack --mode production",
  "vite build",
  "turbo run build",
  "hugo",
  "golangci-lint run",
  "shellcheck x.sh",
  "bazel test //...",
  "mocha -r ts-node/register test",
  "gleam test",
  "forge test -vvv",
])("%s has no effects other than writes and loads", (line) => {
  const effects = effectsOf([], line).filter(({ type }) => type !== "writes" && type !== "loads");
  expect(told(effects)).toEqual([]);
});

test.each([
  ["make -f /tmp/x", "loads /tmp/x shell"],
  ["make -C /tmp/x", "loads /tmp/x other"],
  ["make SHELL=/tmp/sh", "danger high its option SHELL runs a command"],
  ["make --eval=x:;id", "danger high its option --eval runs a command"],
  ["make deploy", "danger high its task is named for what reaches other machines"],
  ["just publish", "danger high its task is named for what reaches other machines"],
  ["task deploy:docs", "danger high its task is named for what reaches other machines"],
  ["turbo run deploy", "danger high its task is named for what reaches other machines"],
  ["nx run app:deploy", "danger high its task is named for what reaches other machines"],
  ["make install", "danger medium it installs what it made"],
  ["make install DESTDIR=/", "writes / creates"],
  ["ninja -C build install", "danger medium it installs what it made"],
  ["meson install", "danger medium it installs what it made"],
  ["cmake --build build --target install", "danger medium it installs what it made"],
  ["cmake --install build --prefix /usr", "writes /usr creates"],
  ["make X=$(shell_id)", "interprets shell id"],
  ["cmake -E rm -rf x", "runs rm -rf x"],
  ["cmake -P x.cmake", "loads x.cmake other"],
  ["cmake --toolchain=/tmp/x .", "loads /tmp/x other"],
  ["gradle publish", "danger high it changes what is published for others"],
  ["gradle -I /tmp/x build", "loads /tmp/x other"],
  ["mvn deploy", "danger high it changes what is published for others"],
  ["mvn exec:exec -Dexec.executable=sh -Dexec.args=-c_id", "runs sh -c id"],
  ["dotnet nuget push x.nupkg", "danger high it changes what is published for others"],
  ["eslint --rulesdir /tmp/x .", "loads /tmp/x other"],
  ["eslint -c /tmp/x.js .", "loads /tmp/x.js other"],
  ["esbuild a.ts --outfile=/tmp/x", "writes /tmp/x replaces"],
  ["pytest -c /tmp/x.ini", "loads /tmp/x.ini other"],
  ["pytest --junitxml=r.xml", "writes r.xml replaces"],
  ["pylint --init-hook=f() src", "interprets python f()"],
  ["rake db:drop", "danger high it deletes data of a database"],
  ["rails runner f()", "interprets ruby f()"],
  ["gleam publish", "danger high it changes what is published for others"],
  ["west flash", "danger high it overwrites what is on a device"],
  ["forge script x --broadcast", "danger high it signs something and sends it to a chain"],
  ["devbox run -- id -u", "runs id -u"],
  ["mono x.exe", "loads x.exe other"],
  ["nodemon --exec id a.js", "interprets shell id"],
  ["pdflatex -shell-escape a.tex", "danger high it lets documents run commands"],
  ["pandoc --lua-filter /tmp/x.lua a.md", "loads /tmp/x.lua other"],
  ["pandoc a.md -o b.html", "writes b.html replaces"],
  ["gcc -o app a.c", "writes app replaces"],
  ["gcc -oapp a.c", "writes app replaces"],
  ["gcc -wrapper sh,-c,id a.c", "interprets shell sh -c id"],
  ["gcc -fplugin=/tmp/x.so a.c", "loads /tmp/x.so other"],
  ["clang -B/tmp/x a.c", "loads /tmp/x other"],
  ["rustc -C linker=/tmp/x a.rs", "interprets shell /tmp/x"],
  ["ldd ./app", "loads ./app other"],
  ["strip app", "writes app edits"],
  ["protoc -o gen a.proto", "writes gen replaces"],
])("%s: %s", (line, expected) => {
  expect(tell(line)).toContain(expected);
});

const words: fc.Arbitrary<Word> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }).map(literal),
  fc
    .constantFrom(
      "-c",
      "-e",
      "--",
      "-",
      "",
      "install",
      "run",
      "exec",
      "-m",
      "config",
      "set",
      "-o",
      "-f",
      "--registry",
      "publish",
      "x=y",
    )
    .map(literal),
  fc.constant(unknownWord(new Set(["network"]))),
  fc.constant({ ...literal(`-${unknown}`), isPattern: true }),
  fc.constant(literal("x".repeat(70_000))),
);

test("no row throws, whatever the arguments", () => {
  const rows = everyProgram();
  const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: undefined };
  const input = { text: undefined, flows: new Set<never>(), isGiven: false };
  fc.assert(
    fc.property(fc.constantFrom(...rows), fc.array(words, { maxLength: 8 }), (row, given) => {
      const name = row.names[0] ?? "";
      expect(() => [
        ...row.does(useOf(row, { name, words: given, variables: [], input, around })),
      ]).not.toThrow();
    }),
    { numRuns: 3000 },
  );
});

test("no program is in two rows", () => {
  const names = everyProgram().flatMap((row) => row.names);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
