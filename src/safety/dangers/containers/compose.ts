/** docker compose: several containers described by a file in the workspace. */

import { danger, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { OptionForm, Use } from "../program.ts";
import { always, tellByVerb, verbTable } from "../verbs.ts";
import { happening } from "./elsewhere.ts";
import { deletesInside, typesInside } from "./inside.ts";
import { isInContainer, mounted, takesVariables } from "./mounts.ts";

/** Parses the words after `docker compose` with compose's own options. */
export function* compose(use: Use): Iterable<Effect> {
  if (use.has("help", "version", "h", "v")) return;
  yield* takesVariables(use);
  yield* reads(use.values("f", "file").filter(({ text }) => text !== "-"));
  if (
    use.values("f", "file").some(({ text }) => text === "-") &&
    !/^(?:config|convert|ps)$/u.test(use.operands[0]?.text ?? "")
  )
    yield danger("high", "its input describes the containers that it starts");
  yield* happening(use, tellByVerb(use, verbs));
}

export const composeOptions: OptionForm = {
  stopAtOperand: true,
  short: "fpHc",
  long: namesIn(`file project-name project-directory env-file profile ansi progress parallel host
    context log-level`),
};

const runOptions: OptionForm = {
  stopAtOperand: true,
  short: "eluvwp",
  long: namesIn(`entrypoint env env-from-file label name publish pull user volume workdir cap-add
    cap-drop`),
};

const execOptions: OptionForm = {
  stopAtOperand: true,
  short: "euw",
  long: ["env", "index", "user", "workdir"],
};
const plainOptions: OptionForm = {
  short: "toens",
  long: namesIn(`timeout tail since until scale wait-timeout attach no-attach exit-code-from output
    format signal pull index rmi build-arg memory progress filter status`),
};

const verbs = verbTable(
  [
    [
      "ps, logs, config, convert, images, top, port, events, ls, version, wait, stats, volumes, attach",
      ({ values }) => replaces(values("o", "output")),
    ],
    [
      "up, start, restart, create, watch, scale, unpause, pause, build, pull",
      always("it starts containers that a file describes", "medium"),
    ],
    ["run", runsService, runOptions],
    ["exec", runsInService, execOptions],
    ["stop, kill", always("it stops containers", "medium")],
    [
      "down",
      ({ has }) =>
        has("v", "volumes")
          ? always("it removes containers with their data")
          : always("it removes containers", "medium"),
    ],
    ["rm", ({ has }) => always("it removes containers", has("v") ? "high" : "medium")],
    ["push, publish", always("it publishes images")],
    ["cp", copies],
    ["commit, export", ({ values }) => replaces(values("o", "output"))],
  ],
  { otherwise: always("it may start or change containers", "medium"), form: plainOptions },
);

function* runsService(use: Use): Iterable<Effect> {
  yield danger("medium", "it starts a container that a file describes");
  for (const volume of use.values("v", "volume")) yield* mounted(volume, use.around);
  if (use.has("cap-add")) yield danger("high", "it gives the container more rights");
  const [, ...command] = use.operands;
  const entry = use.value("entrypoint");
  const words = [...(entry && entry.text !== "" ? [entry] : []), ...command];
  if (words.length > 0) yield runs(words, { remote: true });
}

function* runsInService(use: Use): Iterable<Effect> {
  if (use.has("help", "h")) return;
  if (use.has("privileged")) yield danger("high", "it gives the command all rights in the container");
  const [, ...command] = use.operands;
  yield* deletesInside(command);
  yield* typesInside(command);
  if (command.length > 0) yield runs(command, { remote: true });
}

function* copies({ operands: [from, to] }: Use): Iterable<Effect> {
  if (!from || !to) return;
  if (!isInContainer(from)) yield { type: "reads", path: from };
  if (isInContainer(to)) yield danger("medium", "it changes files in a container");
  else yield { type: "writes", path: to, how: "replaces" };
}
