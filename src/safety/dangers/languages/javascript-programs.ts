/** Node, Deno, and compatible programs that run TypeScript. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, loads, onlyWhenItRuns, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, interpretsInput, loadsLibraries, scriptOrInput } from "../interpreting.ts";
import { installing, publishes } from "../packages/installing.ts";
import { namesIn } from "../parts.ts";
import { type OptionForm, type Program, type Use, byTask, program, testFile } from "../program.ts";
import { after } from "../use.ts";

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

function* node({ operands, has, values, value }: Use): Iterable<Effect> {
  yield* loadsLibraries(values("r", "require", "import", "loader", "experimental-loader"), "javascript");
  for (const config of values("experimental-config-file", "openssl-config")) yield loads(config);
  for (const address of values("inspect", "inspect-brk", "inspect-wait"))
    if (!/^(?:\d+$|localhost|127\.|\[::1\])/u.test(address.text))
      yield danger("high", "it opens its debugger to other machines");
  if (has("v", "version", "h", "help", "v8-options", "completion-bash")) return;
  const isPrinted = has("p", "print");
  const codes = values("e", "eval", "print");
  const given = isPrinted && codes.length === 0 ? operands.slice(0, 1) : codes;
  yield* interpretsAll("javascript", isPrinted ? given.map(asPrinted) : given);
  if (value("redirect-warnings", "test-reporter-destination", "tls-keylog", "localstorage-file"))
    yield doesMore;
  if (given.length > 0 || (has("e", "p") && operands.length === 0)) return;
  const isWatched = /^(?:inspect|watch)$/u.test(operands[0]?.text ?? "");
  if (has("run") || (has("test", "watch") && operands.length === 0)) yield doesMore;
  else if (has("c", "check")) yield* reads(operands.slice(0, 1));
  else yield* scriptOrInput(isWatched ? operands.slice(1) : operands, "javascript");
}

/** `-p` prints the value of the last expression. */
function asPrinted(code: Word): Word {
  const end = Math.max(code.text.lastIndexOf(";"), code.text.lastIndexOf("\n")) + 1;
  return withText(code, `${code.text.slice(0, end)}console.log(${code.text.slice(end)})`);
}

function* deno(use: Use): Iterable<Effect> {
  const [verb, ...words] = use.operands;
  const name = verb?.text ?? "";
  const isRun = /^(?:run|test|bench|compile|serve)$/u.test(name);
  const behind = after(use, words, { ...denoForm, stopAtOperand: isRun });
  if (use.has("version", "V", "help", "h") || behind.has("help") || name === "help") return;
  if (!verb) yield interpretsInput("javascript");
  else if (isUnknown(verb)) yield onlyWhenItRuns;
  else if (isRun) yield* denoRuns(behind);
  else if (/^e(?:val)?$/u.test(name)) yield* interpretsAll("javascript", behind.operands.slice(0, 1));
  else if (
    /^(?:i(?:nstall|nit)?|add|remove|rm|uninstall|upgrade|jupyter|create|update|cache|vendor)$/u.test(name)
  )
    yield* installing;
  else if (name === "outdated" && behind.has("update", "u")) yield* installing;
  else if (/^(?:publish|deploy)$/u.test(name)) yield* publishes;
  else if (/^(?:task|fmt|lint|check|coverage|clean|repl|lsp|approve-scripts|x)$/u.test(name)) yield doesMore;
  else if (!/^(?:info|doc|types|completions|outdated|audit|why)$/u.test(name))
    yield* scriptOrInput(after(use, use.operands, denoForm).operands, "javascript");
}

/** Code given by URL is downloaded and run. */
function* denoRuns({ operands, values }: Use): Iterable<Effect> {
  yield* loadsLibraries(values("preload", "import", "require", "import-map"), "javascript");
  yield doesMore;
  const [script] = operands;
  if (!script) return;
  if (!/^(?:https?|npm|jsr):/u.test(script.text)) yield* scriptOrInput(operands, "javascript");
  else {
    yield { type: "fetches", from: script };
    yield script.text.startsWith("http")
      ? danger("critical", "it runs code from the network")
      : danger("medium", "it installs a package and runs it");
  }
}
