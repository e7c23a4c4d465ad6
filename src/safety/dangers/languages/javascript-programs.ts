/** Node, Deno, and compatible programs that run TypeScript. */

import { type Word, withText } from "../../command-line/word.ts";
import { byTask, testFile } from "../checking.ts";
import { danger, doesMore, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, interpretsInput, loadsLibraries, scriptOrInput } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { installing, publishes, removing } from "../packages/installing.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { tellByVerb, verbTable } from "../verbs.ts";

const nodeForm: OptionForm = {
  stopAtOperand: true,
  short: "erC",
  long: namesIn(`eval print require import loader experimental-loader conditions env-file
    env-file-if-exists input-type title icu-data-dir openssl-config max-http-header-size
    stack-trace-limit test-name-pattern test-reporter test-reporter-destination test-skip-pattern
    test-concurrency watch-path report-dir report-filename redirect-warnings cpu-prof-dir cpu-prof-name
    heap-prof-dir heap-prof-name trace-event-categories trace-event-file-pattern unhandled-rejections
    dns-result-order experimental-config-file run build-snapshot-config experimental-default-type
    diagnostic-dir heapsnapshot-signal localstorage-file tsconfig project cwd config
    experimental-sea-config es-module-specifier-resolution secure-heap tls-keylog`),
};

const denoForm: OptionForm = {
  short: "cL",
  long: namesIn(`config import-map lock log-level location seed v8-flags cert env-file preload import
    require ext filter reporter output name root port host inspect`),
};

const denoVerbs = verbTable(
  [
    ["eval, e", ({ operands }) => interpretsAll("javascript", operands.slice(0, 1))],
    ["run, test, bench, compile, serve", denoRuns, { ...denoForm, stopAtOperand: true }],
    ["install, i, add, upgrade, jupyter, init, create, update, outdated --update", installing],
    ["remove, uninstall, rm", removing],
    ["cache, vendor", installing],
    ["publish, deploy", publishes],
    ["task, fmt, lint, check, coverage, clean, repl, lsp, approve-scripts, x", [doesMore]],
    ["info, doc, types, completions, outdated, audit, why", []],
  ],
  { otherwise: ({ operands }) => scriptOrInput(operands, "javascript"), form: denoForm },
);

export const javascript: readonly Program[] = [
  program(
    `node nodejs node.exe tsx ts-node ts-node-esm ts-node-script esno jiti babel-node electron vite-node
      swc-node`,
    node,
    {
      checks: new RegExp(`\\s--test(?:[\\s=-]|$)|${testFile.source}`, "u"),
      kind: "interpreter",
      options: nodeForm,
    },
  ),
  program("deno", deno, {
    checks: byTask,
    kind: "interpreter",
    options: { ...denoForm, stopAtOperand: true },
    verbs: 2,
  }),
];

function* node(use: Use): Iterable<Effect> {
  const { operands } = use;
  yield* loadsLibraries(use.values("r", "require", "import", "loader", "experimental-loader"), "javascript");
  yield* replaces(
    use.values("redirect-warnings", "test-reporter-destination", "tls-keylog", "localstorage-file"),
  );
  for (const config of use.values("experimental-config-file", "openssl-config")) yield loads(config);
  for (const address of use.values("inspect", "inspect-brk", "inspect-wait"))
    if (!/^(?:\d+$|localhost|127\.|\[::1\])/u.test(address.text))
      yield danger("high", "it opens its debugger to other machines");
  if (use.has("v", "version", "h", "help", "v8-options", "completion-bash")) return;
  if (use.has("run")) {
    yield doesMore; // a script of the package
    return;
  }
  const codes = use.values("e", "eval", "print");
  const printed = use.has("p", "print") && codes.length === 0 ? operands.slice(0, 1) : [];
  const isGiven = codes.length + printed.length > 0;
  const all = [...codes, ...printed];
  yield* interpretsAll("javascript", use.has("p", "print") ? all.map(asPrinted) : all);
  if (isGiven || (use.has("e", "p") && operands.length === 0)) return;
  if (use.has("c", "check")) yield* reads(operands.slice(0, 1));
  else if (use.has("test", "watch") && operands.length === 0) yield doesMore;
  else if (use.name.startsWith("node") && operands[0]?.text === "inspect")
    yield* scriptOrInput(operands.slice(1), "javascript");
  else if (use.name === "tsx" && operands[0]?.text === "watch")
    yield* scriptOrInput(operands.slice(1), "javascript");
  else yield* scriptOrInput(operands, "javascript");
}

/** `-p` prints the value of the last expression. */
function asPrinted(code: Word): Word {
  const end = Math.max(code.text.lastIndexOf(";"), code.text.lastIndexOf("\n")) + 1;
  return withText(code, `${code.text.slice(0, end)}console.log(${code.text.slice(end)})`);
}

function* deno(use: Use): Iterable<Effect> {
  if (use.has("version", "V", "help", "h")) return;
  if (use.operands.length === 0) yield interpretsInput("javascript");
  else yield* tellByVerb(use, denoVerbs);
}

/** Code given by URL is downloaded and run. */
function* denoRuns({ operands, values }: Use): Iterable<Effect> {
  yield* loadsLibraries(values("preload", "import", "require", "import-map"), "javascript");
  yield doesMore;
  const [script] = operands;
  if (!script) return;
  if (/^(?:https?|npm|jsr):/u.test(script.text)) yield* loadsRemote(script);
  else yield* scriptOrInput(operands, "javascript");
}

function* loadsRemote(script: Word): Iterable<Effect> {
  yield { type: "fetches", from: script };
  if (/^https?:/u.test(script.text)) yield danger("critical", "it runs code from the network");
  else yield danger("medium", "it installs a package and runs it");
}
