/** docker and compose: what comes in front of their commands, which are data: `docker-run`, `compose-exec`. */

import { compiled } from "../../commands/compiled.ts";
import { dataProgram } from "../data/data-program.ts";
import { danger, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../parts.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { readAsGo, useOf } from "../use.ts";

const engineOptions: OptionForm = {
  stopAtOperand: true,
  short: "cHlnb",
  long: namesIn(`config context host log-level tlscacert tlscert tlskey connection url root runroot
    hooks-dir module namespace address`),
};

const composeOptions: OptionForm = {
  stopAtOperand: true,
  short: "fpHc",
  long: namesIn(`file project-name project-directory env-file profile ansi progress parallel host
    context log-level`),
};

const composing = program("docker-compose podman-compose", (use) => compose(readAsGo(use, composeOptions)), {
  options: composeOptions,
  verbs: 2,
});

export const containers: readonly Program[] = [
  program("docker podman nerdctl finch", (use) => engine(readAsGo(use, engineOptions)), {
    options: engineOptions,
    verbs: 2,
  }),
  composing,
];

let byName: ReadonlyMap<string, Program> | undefined;

const rows = (): ReadonlyMap<string, Program> =>
  (byName ??= new Map(
    compiled.flatMap((data) => {
      const names = namesIn(data.programs).filter((name) => /^(?:docker|compose)-/u.test(name));
      const row = dataProgram(data);
      return names.map((name): [string, Program] => [name, row]);
    }),
  ));

/** What the longest row does whose name these words make, or the row of all other words. */
function inner(kind: "docker" | "compose", use: Use): Iterable<Effect> {
  const texts = use.operands.map(({ text }) => text);
  const count = [2, 1].find((length) => rows().has([kind, ...texts.slice(0, length)].join("-"))) ?? 0;
  const row = rows().get([kind, ...(count === 0 ? ["otherwise"] : texts.slice(0, count))].join("-"));
  return row ? row.does(useOf(row, { ...use, words: use.operands.slice(count) })) : [];
}

function* engine(use: Use): Iterable<Effect> {
  if (use.has("help", "version")) return;
  if (use.has("config", "hooks-dir", "module"))
    yield danger("high", "it takes its settings from elsewhere, which can run programs");
  const [noun, ...rest] = use.operands;
  if (noun?.text === "compose") {
    yield* happening(use, composing.does(useOf(composing, { ...use, words: rest })));
    return;
  }
  const isNoun = /^(?:container|image)$/u.test(noun?.text ?? "") && rest.length > 0;
  yield* happening(use, inner("docker", isNoun ? { ...use, operands: rest } : use));
}

function* compose(use: Use): Iterable<Effect> {
  if (use.has("help", "version", "h", "v")) return;
  yield* use.values("env-file").map((path) => loads(path));
  const files = use.values("f", "file");
  yield* reads(files.filter(({ text }) => text !== "-"));
  const only = /^(?:config|convert|ps)$/u.test(use.operands[0]?.text ?? "");
  if (files.some(({ text }) => text === "-") && !only)
    yield danger("high", "its input describes the containers that it starts");
  yield* happening(use, inner("compose", use));
}

const ownContext = /^(?:default|desktop-linux|colima|orbstack|rootless|rancher-desktop|minikube)$/u;
const tells = danger("high", "it commands the containers of another machine");

/** These effects, and before them that they happen elsewhere. Only to ask by a context's name is harmless. */
function* happening(use: Use, effects: Iterable<Effect>): Iterable<Effect> {
  const host = use.value("H", "host", "url");
  if (host && !host.text.startsWith("unix:")) yield* [{ type: "fetches", from: host } as const, tells];
  const context = use.value("c", "context", "connection");
  const told = [...effects];
  if (context && !ownContext.test(context.text) && told.length > 0) yield tells;
  yield* told;
}
