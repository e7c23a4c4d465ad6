/** Python: code, scripts, and modules run by name. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { managesDjango } from "../builds/tools.ts";
import { testFile } from "../checking.ts";
import { danger, doesMore, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { showsDirectories } from "../file-effect-makers.ts";
import { interpretsAll, interpretsInput, named, scriptOrInput, splitAt } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { installing } from "../packages/installing.ts";
import { program, type Program, type Use } from "../program.ts";
import { useOf } from "../use.ts";

export const python: readonly Program[] = [
  program(
    `python python2 python3 pypy pypy3 python.exe py pythonw micropython circuitpython graalpy bpython
      ptpython`,
    interpreter,
    {
      checks: new RegExp(
        `\\s-m\\s*(?:pytest|unittest|nose2?|tox|nox|mypy|pyright|flake8|pylint|compileall|py_compile|doctest|build)(?:\\s|$)|\\smanage\\.py\\s(?:test|check)(?:\\s|$)|${testFile.source}`,
        "u",
      ),
      kind: "interpreter",
    },
  ),
];

function* interpreter(use: Use): Iterable<Effect> {
  const { letter, value, rest, flags } = splitAt(use, {
    letters: "cm",
    valued: "WXQ",
    long: ["check-hash-based-pycs"],
  });
  if (letter === "c" && value) yield* interpretsAll("python", [value]);
  else if (letter === "m" && value) yield* module(value, rest, use);
  else if (flags.has("V") || flags.has("version") || flags.has("h") || flags.has("help")) return;
  else {
    yield* scriptOrInput(value ? [value, ...rest] : [], "python");
    if (/(?:^|\/)manage\.py$/u.test(value?.text ?? "")) yield* managesDjango(rest);
  }
}

const programs: Readonly<Record<string, string>> = Object.fromEntries(
  namesIn(`pip pytest black ruff flake8 mypy pylint isort tox nox twine uvicorn gunicorn flask coverage
    poetry pdm hatch virtualenv sphinx jupyter bandit pyright autopep8 yapf pipx uv celery hypercorn
    mkdocs alembic cython pycodestyle pydocstyle ansible pre_commit IPython`).map((name) => [
    name,
    name.replace("_", "-").toLowerCase(),
  ]),
);

type Running = (words: readonly Word[], use: Use) => Iterable<Effect>;

/** Standard library modules that affect files or the network; all others only compute, or belong to the workspace. */
const modules: Readonly<Record<string, Running>> = {
  ensurepip: () => installing,
  venv: (words, use) => creates(words, use),
  virtualenv: (words, use) => creates(words, use),
  "json.tool": (words, use) => readsThenWrites(words, use),
  "http.server": serves,
  SimpleHTTPServer: serves,
  timeit: timed,
  cProfile: profiled,
  profile: profiled,
  trace: profiled,
  pdb: debugged,
  runpy: profiled,
  doctest: profiled,
  code: () => [interpretsInput("python")],
  base64: (words) => [
    ...reads(plain(words)),
    ...(words.some(({ text }) => /^-[du]/u.test(text))
      ? [{ type: "prints" as const, flows: ["decoded" as const] }]
      : []),
  ],
  zipfile: archived,
  tarfile: archived,
  gzip: archived,
  smtpd: () => [danger("high", "it opens a server to other machines")],
  telnetlib: (words) => [{ type: "sends", to: plain(words)[0], input: true }],
  ftplib: (words) => [{ type: "fetches", from: plain(words)[0] }],
  webbrowser: (words) => [{ type: "fetches", from: plain(words)[0] }],
  "pip.__main__": (words) => [runs(named("pip", words))],
  "pip._internal": (words) => [runs(named("pip", words))],
};

/** Modules that only print. */
const telling =
  /^(?:calendar|dis|ast|tokenize|platform|site|sysconfig|this|pydoc|inspect|locale|mimetypes|uuid)$/u;

function* module(name: Word, rest: readonly Word[], use: Use): Iterable<Effect> {
  if (isUnknown(name)) {
    yield danger("high", "only the run will tell which module it runs");
    return;
  }
  const running = Object.hasOwn(modules, name.text) ? modules[name.text] : undefined;
  const other = Object.hasOwn(programs, name.text) ? programs[name.text] : undefined;
  if (running) yield* running(rest, use);
  else if (other !== undefined) yield runs([literal(other), ...rest]);
  else if (!telling.test(name.text)) yield doesMore;
}

const plain = (words: readonly Word[]): Word[] => words.filter(({ text }) => !text.startsWith("-"));

const creates = (words: readonly Word[], use: Use): Effect[] => {
  const { operands } = useOf(
    program("venv", () => [], { options: { long: ["prompt"], short: "p" } }),
    { ...use, words },
  );
  return operands.map((path) => ({ type: "writes", path, how: "creates", isBuilt: true }));
};

const readsThenWrites = (words: readonly Word[], use: Use): Effect[] => {
  const { operands } = useOf(
    program("json", () => [], { options: { long: ["indent"] } }),
    { ...use, words },
  );
  return [...reads(operands.slice(0, 1)), ...replaces(operands.slice(1, 2))];
};

/** Anyone who can reach this machine can read what it serves: the workspace, unless another directory is given. */
function* serves(words: readonly Word[]): Iterable<Effect> {
  yield doesMore;
  const at = words.findIndex(({ text }) => text === "-d" || text === "--directory");
  const inline = words.find(({ text }) => text.startsWith("--directory="));
  const directory = at < 0 ? inline && literal(inline.text.slice("--directory=".length)) : words[at + 1];
  yield* showsDirectories(directory ? [directory] : []);
}

function* timed(words: readonly Word[]): Iterable<Effect> {
  for (const word of words) if (!/^-[nrusvph]?\d*$/u.test(word.text)) yield interprets("python", word);
}

/** The debugger's commands are Python code, too. */
function* debugged(words: readonly Word[], use: Use): Iterable<Effect> {
  const { values } = useOf(
    program("pdb", () => [], { options: { short: "cm", long: ["command"], stopAtOperand: true } }),
    { ...use, words },
  );
  for (const code of values("c", "command"))
    yield interprets("python", withText(code, code.text.replace(/^(?:!|(?:p|pp|interact|run|exec)\s)/u, "")));
  yield* profiled(words, use);
}

/** Runs a script or, with `-m`, a module. */
function* profiled(words: readonly Word[], use: Use): Iterable<Effect> {
  const { operands, values } = useOf(
    program("profile", () => [], {
      options: { short: "osmcfC", long: ["outfile", "sort", "file", "coverdir"], stopAtOperand: true },
    }),
    { ...use, words },
  );
  yield* replaces(values("o", "outfile"));
  for (const name of values("m")) yield* module(name, operands, use);
  if (values("m").length === 0 && operands[0]) yield loads(operands[0], "python");
}

function* archived(words: readonly Word[]): Iterable<Effect> {
  const [first, ...rest] = words;
  const extracts = /^-(?:e|-extract)$/u.test(first?.text ?? "");
  const makes = /^-(?:c|-create)$/u.test(first?.text ?? "");
  if (makes) yield* [...replaces(rest.slice(0, 1)), ...reads(rest.slice(1))];
  else yield* reads(plain(rest).slice(0, 1));
  if (extracts) for (const path of rest.slice(1)) yield { type: "writes", path, how: "creates" };
}
