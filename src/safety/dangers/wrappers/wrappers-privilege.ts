/** Programs that run another command with other privileges or another view of the system. */

import { literal } from "../../command-line/word.ts";
import { danger, interprets, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type Program, program, type Use } from "../program.ts";
import { variableEffects } from "../variables.ts";
import { variableOf } from "./wrappers-environment.ts";
import { assignmentsFirst, command } from "./wrapping.ts";

const stop = { stopAtOperand: true } as const;
const elevates = danger("high", "it runs with the rights of another user");
const sudoForm = {
  ...stop,
  short: "CDgpRrTtUu",
  long: namesIn("close-from chdir group prompt chroot role command-timeout type other-user user host"),
  known: namesIn("askpass background edit login list non-interactive shell stdin validate"),
} as const;

const suForm = {
  short: "cgGswu",
  long: ["command", "session-command", "group", "supp-group", "shell", "whitelist-environment", "user"],
} as const;

export const privilegeWrappers: readonly Program[] = [
  program("sudo dzdo sudo-rs please", elevated, { kind: "wrapper", options: sudoForm }),
  program("sudoedit", ({ operands }) => [elevates, ...replaces(operands)], { options: sudoForm }),
  program("doas", elevated, { kind: "wrapper", options: { ...stop, short: "aCu" } }),
  program("su", substituted, { kind: "wrapper", options: suForm }),
  program("runuser", asUser, { kind: "wrapper", options: suForm }),
  program("gksu gksudo kdesu kdesudo beesu", substituted, {
    kind: "wrapper",
    options: { ...suForm, short: "cgGswum", stopAtOperand: true },
  }),
  program("sg newgrp", groupShell, { kind: "wrapper", options: stop }),
  program("bwrap bubblewrap", contained, { kind: "wrapper" }),
];

const onlyAsks = ({ operands, has }: Use): boolean =>
  operands.length === 0 && has("help", "version", "V", "K", "k", "remove-timestamp", "reset-timestamp");

function* elevated(use: Use): Iterable<Effect> {
  if (onlyAsks(use)) return;
  yield elevates;
  if (use.has("l", "list")) return;
  if (use.has("e", "edit")) {
    yield* replaces(use.operands);
    return;
  }
  const { assignments, rest } = assignmentsFirst(use.operands);
  const variables = assignments.flatMap(variableOf);
  const directory = use.value("D", "chdir");
  for (const variable of variables) yield* variableEffects(variable);
  yield* command(rest, directory ? { variables, directory } : { variables });
  if (rest.length === 0 && use.has("s", "shell", "i", "login", "h", "S")) yield shellOfInput;
}

const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

/** `su [-] [user [arguments for the shell]]`. */
function* substituted(use: Use): Iterable<Effect> {
  if (onlyAsks(use)) return;
  yield elevates;
  const codes = use.values("c", "command", "session-command");
  for (const code of codes) yield interprets("shell", code);
  const [first, ...others] = use.operands;
  const words = first?.text === "-" ? others.slice(1) : others;
  if (words.length > 0) yield runs([literal("sh"), ...words]);
  else if (codes.length === 0) yield shellOfInput;
}

/** `runuser -u user [--] command`, or with su's syntax. */
function* asUser(use: Use): Iterable<Effect> {
  if (!use.has("u", "user")) {
    yield* substituted(use);
    return;
  }
  yield elevates;
  const first = use.operands[0];
  if (first) yield* command(use.words.slice(use.words.indexOf(first)));
}

/** ast-grep has the same short name: an option or one of its verbs comes first, where `sg` would have a group. */
const isAstGrep = ({ name, words: [first, second] }: Use): boolean =>
  name === "sg" &&
  (/^--?\w/u.test(first?.text ?? "") ||
    (/^(?:run|scan)$/u.test(first?.text ?? "") && /^(?:$|-(?!c$))/u.test(second?.text ?? "")));

/** `sg group -c 'shell code'`, `newgrp group`. */
function* groupShell(use: Use): Iterable<Effect> {
  if (isAstGrep(use)) {
    yield runs([literal("ast-grep"), ...use.words]);
    return;
  }
  const { operands } = use;
  yield elevates;
  const words = operands.filter(({ text }) => text !== "-").slice(1);
  const [flag, code] = words;
  if (flag === undefined) yield shellOfInput;
  else if (flag.text === "-c" && code) yield interprets("shell", code);
  else yield interprets("shell", flag);
}

/** The words after `--` are arguments for bash. */
const takesTwo =
  /^--(?:(?:dev-|ro-)?bind(?:-try|-fd|-data)?|ro-bind-data|symlink|setenv|file|chmod|add-seccomp-fd-pair|overlay)$/u;
const takesNone =
  /^--(?:unshare-.*|share-net|clearenv|new-session|die-with-parent|as-pid-1|disable-userns|assert-userns-disabled|help|version|level-prefix|tmp-overlay-none)$/u;

/** bubblewrap restricts the command it runs, so only that command is judged. */
function contained({ words }: Use): Iterable<Effect> {
  let at = 0;
  for (let word = words[at]; word?.text.startsWith("--"); word = words[at]) {
    if (word.text === "--") break;
    at += takesTwo.test(word.text) ? 3 : takesNone.test(word.text) ? 1 : 2;
  }
  return command(words.slice(at));
}
