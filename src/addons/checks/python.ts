/** Checks of Python projects: the configured tools, run in the environment that the lock file indicates. */

import type { Check, CheckKind } from "./check.ts";
import type { CheckDirectory } from "./place.ts";

/** Considered in use if one of `files` is present or a configuration file has the section. */
type PythonTool = { kind: CheckKind; files: readonly string[]; section?: RegExp; command: string };

const projectFiles: readonly string[] = [
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "setup.py",
  "requirements.txt",
  "requirements-dev.txt",
];

export const pythonFiles: readonly string[] = [
  ...projectFiles,
  "pytest.ini",
  "noxfile.py",
  "manage.py",
  "mypy.ini",
  "ruff.toml",
  ".ruff.toml",
];

const tools: readonly PythonTool[] = [
  { kind: "types", files: ["mypy.ini", ".mypy.ini"], section: /^\[(?:tool\.)?mypy\b/mu, command: "mypy ." },
  {
    kind: "types",
    files: ["pyrightconfig.json"],
    section: /^\[tool\.(?:based)?pyright\b/mu,
    command: "pyright",
  },
  { kind: "types", files: ["ty.toml"], section: /^\[tool\.ty\b/mu, command: "ty check" },
  { kind: "lint", files: ["ruff.toml", ".ruff.toml"], section: /^\[tool\.ruff\b/mu, command: "ruff check ." },
  { kind: "lint", files: [".flake8"], section: /^\[flake8\]/mu, command: "flake8" },
  {
    kind: "lint",
    files: [".pylintrc", "pylintrc"],
    section: /^\[tool\.pylint\b/mu,
    command: "pylint --recursive=y .",
  },
  {
    kind: "test",
    files: ["pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py"],
    section: /^\[(?:tool[.:])?pytest\b|^\s{0,8}pytest\b|["']pytest\b/mu,
    command: "pytest",
  },
  { kind: "test", files: ["manage.py"], command: "python manage.py test" },
  { kind: "test", files: ["noxfile.py"], command: "nox" },
  { kind: "test", files: ["tox.ini"], section: /^\[(?:tool\.)?tox\b/mu, command: "tox" },
];
const language = "Python";
/** These tools create their own environments. */
const outside: readonly string[] = ["nox", "tox"];

const runners: readonly (readonly [file: string, prefix: string])[] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
  ["Pipfile", "pipenv run "],
  ["pixi.lock", "pixi run "],
];

export function pythonChecks(place: CheckDirectory): Check[] {
  const config = projectFiles
    .map((file) => ({ file, text: place.read(file) }))
    .filter(({ text }) => text !== "");
  const found = tools.flatMap(({ kind, files, section, command }): Check[] => {
    const isUsed =
      files.some((file) => place.names.has(file) && file !== "tox.ini") ||
      config.some(({ text }) => section?.test(text));
    return isUsed ? [{ kind, name: command, command: inEnvironment(command, place), group: language }] : [];
  });
  if (found.some(({ kind }) => kind === "test")) return found;
  const tests =
    ["tests", "test"].find((name) => place.names.has(name)) ??
    [...place.names].find((name) => /^test\w{0,100}\.py$/u.test(name));
  if (tests === undefined || config.length === 0) return found;
  const command = inEnvironment("python -m unittest discover", place);
  return [...found, { kind: "test", name: "unittest", command, group: language }];
}

/** Prefixes the runner or interpreter of the project's environment, which has its packages installed. */
function inEnvironment(command: string, place: CheckDirectory): string {
  if (outside.includes(command)) return command;
  const runner = runners.find(([file]) => place.isAbove(file))?.[1];
  if (runner !== undefined) return `${runner}${command}`;
  const environment = [".venv", "venv"].find((name) => place.names.has(name));
  const words = command.startsWith("python ") ? command.slice("python ".length) : undefined;
  if (environment !== undefined)
    return words === undefined ? `${environment}/bin/${command}` : `${environment}/bin/python ${words}`;
  return words === undefined ? command : `python3 ${words}`;
}
