/** Python: code, scripts, and modules run by name. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { managesDjango, readsAtPrompt } from "../builds/tools.ts";
import { danger, doesMore, interprets, loads, reads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { printsDecoded, showsDirectories } from "../file-effect-makers.ts";
import { interpretsAll, interpretsInput, scriptOrInput } from "../interpreting.ts";
import { installing } from "../packages/installing.ts";
import { namesIn } from "../parts.ts";
import type { Use } from "../program.ts";

/** `-c code` and `-m module` end the options, whose letters may be joined: `-Ic code`. */
export function* python(words: readonly Word[], use: Use): Iterable<Effect> {
  let at = 0;
  let isAsked = false;
  for (; /^-./su.test(words[at]?.text ?? ""); at += 1) {
    const option = words[at] ?? literal("");
    const { text } = option;
    const [, letter, inside] = /^-[^-cmWXQ]*([cmWXQ])(.*)$/su.exec(text) ?? [];
    const value = inside === "" ? words[at + 1] : withText(option, inside ?? "");
    if (value && /[cm]/u.test(letter ?? "")) {
      const rest = words.slice(inside === "" ? at + 2 : at + 1);
      yield* letter === "c" ? interpretsAll("python", [value]) : module(value, rest);
      return;
    }
    isAsked ||= /^-(?:[^-cmWXQ]*[Vh]|-version$|-help$)/u.test(text);
    if (inside === "" || text === "--check-hash-based-pycs") at += 1;
    if (text === "--") break;
  }
  if (isAsked) return;
  const [script, ...rest] = words.slice(words[at]?.text === "--" ? at + 1 : at);
  yield* scriptOrInput(script ? [script, ...rest] : [], "python");
  if (/(?:^|\/)manage\.py$/u.test(script?.text ?? ""))
    yield* [...managesDjango(rest), ...readsAtPrompt(rest, use)];
}

/** Modules that are programs of their own. */
const programs = new Set(
  namesIn(`pip pytest black ruff flake8 mypy pylint isort tox nox twine uvicorn gunicorn flask coverage
    poetry pdm hatch sphinx jupyter bandit pyright autopep8 yapf pipx uv celery hypercorn mkdocs alembic cython
    pycodestyle pydocstyle ansible pre_commit IPython`),
);

/** Modules that only print. */
const telling =
  /^(?:calendar|dis|ast|tokenize|platform|site|sysconfig|this|pydoc|inspect|locale|mimetypes|uuid)$/u;

function* module(name: Word, rest: readonly Word[]): Iterable<Effect> {
  const own = name.text.replace(/^pip\..*$/u, "pip");
  const given = rest.filter(({ text }) => !text.startsWith("-"));
  if (isUnknown(name)) yield danger("high", "only the run will tell which module it runs");
  else if (programs.has(own)) yield runs([literal(own.replace("_", "-").toLowerCase()), ...rest]);
  else if (own === "ensurepip") yield* installing;
  else if (/^(?:venv|virtualenv)$/u.test(own))
    yield* given.map((path): Effect => ({ type: "writes", path, how: "creates", isBuilt: true }));
  else if (/^(?:http\.server|SimpleHTTPServer)$/u.test(own)) yield* serves(rest);
  else if (/^(?:smtpd|telnetlib|ftplib|webbrowser)$/u.test(own)) yield { type: "fetches", from: given[0] };
  else if (own === "code") yield interpretsInput("python");
  else if (/^(?:timeit|cProfile|profile|trace|pdb|runpy|doctest)$/u.test(own)) yield* watches(own, rest);
  else if (/^(?:json\.tool|base64|zipfile|tarfile|gzip)$/u.test(own)) yield* converts(own, rest, given);
  else if (!telling.test(own)) yield doesMore;
}

/** Anyone who can reach this machine can read what it serves: the workspace, unless another directory is given. */
function* serves(words: readonly Word[]): Iterable<Effect> {
  yield doesMore;
  const at = words.findIndex(({ text }) => text === "-d" || text === "--directory");
  const inline = words.find(({ text }) => text.startsWith("--directory="));
  const directory = at < 0 ? inline && literal(inline.text.slice("--directory=".length)) : words[at + 1];
  yield* showsDirectories(directory ? [directory] : []);
}

/** Reads its files, unless it makes or unpacks some. */
function* converts(name: string, words: readonly Word[], given: readonly Word[]): Iterable<Effect> {
  yield* reads(given.slice(0, 1));
  const decodes = words.some(({ text }) => /^-[du]/u.test(text));
  if (name === "base64" && decodes) yield printsDecoded;
  else if (given.length > 1 || words.some(({ text }) => /^-(?:[ced]|-create|-extract)$/u.test(text)))
    yield doesMore;
}

/** Runs code, a script or a module and looks at how it goes; the commands of its debugger are code, too. */
function* watches(name: string, words: readonly Word[]): Iterable<Effect> {
  const at = words.findIndex(({ text }) => /^-(?:c|-command|m)$/u.test(text));
  const [option, value] = at < 0 ? [] : words.slice(at, at + 2);
  if (option?.text === "-m" && value) {
    yield* module(value, words.slice(at + 2));
    return;
  }
  if (value)
    yield interprets(
      "python",
      withText(value, value.text.replace(/^(?:!|(?:p|pp|interact|run|exec)\s)/u, "")),
    );
  const given = words.filter((word) => !word.text.startsWith("-") && word !== value);
  if (name !== "timeit") yield* given.slice(0, 1).map((path) => loads(path, "python"));
  else yield* given.map((code) => interprets("python", code));
}
