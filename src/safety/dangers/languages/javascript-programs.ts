/** Node, Deno, and compatible programs that run TypeScript. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsAll, loadsLibraries, scriptOrInput } from "../interpreting.ts";
import type { Use, WordsDo } from "../program.ts";

/** Functions of `languages.yaml`. */
export const javascript: Readonly<Record<string, WordsDo>> = {
  node: (_, use) => node(use),
  "deno runs": denoRuns,
};

function* node({ operands, has, values, value }: Use): Iterable<Effect> {
  yield* loadsLibraries(values("r", "require", "import", "loader", "experimental-loader"), "javascript");
  for (const config of values("experimental-config-file", "openssl-config")) yield loads(config);
  for (const address of values("inspect", "inspect-brk", "inspect-wait"))
    if (!/^(?:\d+$|localhost|127\.|\[::1\])/u.test(address.text))
      yield danger("high", "it opens its debugger to other machines");
  if (has("v", "h", "v8-options", "completion-bash")) return;
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

/** Code given by URL is downloaded and run. */
function* denoRuns(operands: readonly Word[], { values }: Use): Iterable<Effect> {
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
