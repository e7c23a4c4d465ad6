/** Programs that run another command in a changed environment. */

import { isUnknown, unknown, unknownWord, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, printsVariables, runs } from "../effect-makers.ts";
import type { Effect, Variable } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { cutAt } from "../parts.ts";
import { type Program, program, type Use } from "../program.ts";
import { splitAsEnv } from "../text/splitting.ts";
import { variableEffects } from "../variables.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import { assignmentsFirst, command, readAgain } from "./wrapping.ts";

const stop = { stopAtOperand: true } as const;

const envForm = {
  ...stop,
  short: "uCSa",
  long: ["unset", "chdir", "split-string", "argv0"],
  known: ["ignore-environment", "null", "debug"],
} as const;

const nixForm = {
  short: "pAEIjo",
  long: namesIn("packages attr expr run command keep option max-jobs cores"),
} as const;

const trusts = [danger("high", "it lets the code of a directory run by itself from now on")];
const installs = [danger("medium", "it installs programs, which run code of their own")];

const versionTools = verbTable(
  [
    ["exec, x", execWithTools, { ...stop, short: "cCjE", long: ["command", "cd", "jobs", "env"] }],
    ["trust", trusts],
    [
      "install, i, use, u, upgrade, up, plugin add, plugins install, plugin install, self-update, update",
      installs,
    ],
    [
      "implode, uninstall, plugin remove, plugins uninstall",
      [danger("medium", "it removes installed programs")],
    ],
  ],
  { otherwise: [], form: {} },
);

export const environmentWrappers: readonly Program[] = [
  program("env genv", (use) => environment(use, 0), { kind: "wrapper", options: envForm }),
  program("cross-env", (use) => assigned(use.operands), { kind: "wrapper", options: stop }),
  program("mise rtx asdf", (use) => tellByVerb(use, versionTools), {
    kind: "wrapper",
    verbs: 2,
    options: { ...stop, short: "CEj", long: ["cd", "env"] },
  }),
  program("nix-shell", nixShell, { kind: "wrapper", options: nixForm }),
];

const deepestSplit = 8;

/** Without a command it prints the environment, including keys and tokens. */
function* environment(use: Use, depth: number): Iterable<Effect> {
  const split = use.value("S", "split-string");
  if (split) {
    if (isUnknown(split) || depth > deepestSplit) yield runs([unknownWord(split.carries)]);
    else yield* environment(readAgain(use, [...splitAsEnv(split), ...use.operands], envForm), depth + 1);
    return;
  }
  const directory = use.value("C", "chdir");
  yield* assigned(use.operands, directory);
  const { rest } = assignmentsFirst(use.operands);
  if (rest.length === 0 && !use.has("i", "ignore-environment", "help", "version")) yield printsVariables;
}

function* assigned(words: readonly Word[], directory?: Word): Iterable<Effect> {
  const { assignments, rest } = assignmentsFirst(words);
  const variables = assignments.flatMap(variableOf);
  if (variables.some(({ name }) => name.includes(unknown)))
    yield danger("high", "it sets a variable whose name only the run tells");
  for (const variable of variables) yield* variableEffects(variable);
  yield* command(rest, directory ? { variables, directory } : { variables });
}

export function variableOf(assignment: Word): Variable[] {
  const parts = cutAt(assignment, "=");
  return parts ? [{ name: parts.before.text, value: parts.after }] : [];
}

/** `mise exec node@22 -- command`, `mise exec -c 'shell code'`, `asdf exec command`. */
function* execWithTools(use: Use): Iterable<Effect> {
  for (const code of use.values("c", "command")) yield interprets("shell", code);
  const end = use.operands.findIndex(({ text }) => text === "--");
  const named = use.operands.findIndex(({ text }) => !text.includes("@"));
  const start = end >= 0 ? end + 1 : named;
  if (start >= 0) yield* command(use.operands.slice(start));
}

/** Builds an expression and runs a command in the resulting environment. */
function* nixShell(use: Use): Iterable<Effect> {
  yield danger("medium", "it fetches and builds packages, which run code of their own");
  for (const code of use.values("run", "command")) yield interprets("shell", code);
  for (const code of use.values("E", "expr")) yield interprets("other", code);
  if (!use.has("p", "packages", "E", "expr")) for (const path of use.operands) yield loads(path);
  if (!use.has("run", "command")) yield { type: "interprets-input", language: "shell" };
}
