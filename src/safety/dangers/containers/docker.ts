/** docker and compose: what comes in front of their commands, which are data: `docker-run`, `compose-exec`. */

import { withText } from "../../command-line/word.ts";
import { compiledPrograms } from "../data/compiled-programs.ts";
import { danger, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../parts.ts";
import type { OptionForm, Program, Use } from "../program.ts";
import { reread, useOf } from "../use.ts";

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

const engineLooks = {
  options: `-a --all -q --quiet -f= --filter= --format= --no-trunc -n= --last= -l --latest -s --size --tail= --since= --until= -t --timestamps --details --no-color --no-log-prefix --services --images --profiles --volumes --hash= --no-stream --type= --index= --protocol= -p= --project-name= --profile= --project-directory= -v --version --status= --orphans --digests --tree --no-interpolate -i -T -w= --workdir= -u= --user= --interactive --tty --file= --context= --help`,
  verbs:
    "ps, images, logs, inspect, info, version, stats, top, port, diff, history, events, exec, container ls, container list, container ps, container inspect, container logs, container top, container port, container diff, container stats, image ls, image list, image inspect, image history, network ls, network list, network inspect, volume ls, volume list, volume inspect, context ls, context show, context inspect, system df, system info, buildx ls, buildx inspect, buildx version, buildx du, plugin ls, pod ps, pod ls, pod inspect, compose ps, compose ls, compose logs, compose images, compose top, compose port, compose version, compose config, compose events, compose stats, compose exec, pull, node ls, service ls, service ps, service logs, stack ls, stack ps, secret ls, config ls",
};

const composeLooks = {
  options: `-a --all -q --quiet -f= --file= --filter= --format= --no-trunc --tail= --since= --until= -t --timestamps --no-color --no-log-prefix --services --profiles --volumes --index= --protocol= -p= --project-name= --profile= --status= -T -w= -u= --user= -v --version`,
  verbs: "ps, ls, logs, images, top, port, version, config, events, exec",
};

const composing: Program = {
  names: ["docker-compose", "podman-compose"],
  looks: { "docker-compose podman-compose": composeLooks },
  options: composeOptions,
  does: (use) => compose(readAsGo(use)),
  verbs: 2,
};

export const containers: readonly Program[] = [
  {
    names: ["docker", "podman", "nerdctl", "finch"],
    looks: { "docker podman nerdctl": engineLooks },
    options: engineOptions,
    does: (use) => engine(readAsGo(use)),
    verbs: 2,
  },
  composing,
];

/** Programs written in Go also accept `-v=value`, where others would treat the "=" as part of the value. */
const readAsGo = (use: Use): Use =>
  reread(
    use,
    use.words.map((word) => withText(word, word.text.replace(/^(?<name>-[A-Za-z])=/u, "$<name>"))),
  );

/** What the longest row does whose name these words make, or the row of all other words. */
function inner(kind: "docker" | "compose", use: Use): Iterable<Effect> {
  const texts = use.operands.map(({ text }) => text);
  const rowOf = (words: readonly string[]): Program | undefined =>
    compiledPrograms().get([kind, ...words].join("-"));
  const count = [2, 1].find((length) => rowOf(texts.slice(0, length))) ?? 0;
  const row = rowOf(count === 0 ? ["otherwise"] : texts.slice(0, count));
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
