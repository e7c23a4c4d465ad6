/** ssh: what its settings run here, and what it runs on the other machine. */

import { joinWords, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use, UsedOption, WordsDo } from "../program.ts";
import { reread } from "../use.ts";

/** `ssh -p 22 host -v command`: options may also follow the host. */
function* logsIn([to, ...rest]: readonly Word[], use: Use): Iterable<Effect> {
  const { options, input } = use;
  const { options: later, operands: command } = reread(use, rest);
  yield* settings([...options, ...later]);
  if (!to || options.some(({ name }) => /^[VQG]$/u.test(name))) return;
  yield* [{ type: "fetches", from: to } as const, danger("medium", "it logs in to another machine")];
  if (input.isGiven || command.some(({ carries }) => carries.has("secret")))
    yield { type: "sends", to, words: command, input: input.isGiven };
  if (command.length > 0)
    yield { type: "interprets", language: "shell", code: joinWords(command, " "), remote: true };
}

const settings = (options: readonly UsedOption[]): Effect[] =>
  options.flatMap(({ name, value }) => {
    if (/^[LRDwWA]$/u.test(name)) return [danger("high", "it opens a way between this machine and another")];
    if (!value || /^(?:none|no|\/dev\/null)$/u.test(value.text)) return [];
    if (name === "o") return setting(value);
    return /^[FI]$/u.test(name)
      ? [danger("high", "it takes settings or code from a file"), loads(value)]
      : [];
  });

/** They run a command, load code, or open a way between this machine and another. */
const grave =
  /^(?:\w+command|xauthlocation|pkcs11provider|securitykeyprovider|include|match|(?:local|remote|dynamic)forward|tunnel|forwardagent|sendenv|.*\0.*)$/iu;

/** `ProxyCommand=x`, `ProxyCommand x`. */
function setting(option: Word): Effect[] {
  const [, name = "", value = ""] = /^\s*([^\s=]+)\s*=?\s*(.*)$/su.exec(option.text) ?? [];
  if (!grave.test(name) || /^(?:none|no|yes)$/iu.test(value)) return [];
  return [
    danger("high", `its setting ${name} runs a command or opens a way to here`),
    ...(/command$/iu.test(name) ? [interprets("shell", withText(option, value))] : []),
  ];
}

export const logins: Readonly<Record<string, WordsDo>> = {
  "logs in": logsIn,
  "ssh settings": (_, { options }) => settings(options),
  /** A plain ssh is the usual way to the other side: `rsync -e 'ssh -p 22'`. */
  "ssh program": (words) =>
    words.flatMap((word) => [
      ...(/^(?:ssh|rsh)(?: |$)/u.test(word.text) ? [] : [danger("high", "its option runs a command")]),
      interprets("shell", word),
    ]),
};
