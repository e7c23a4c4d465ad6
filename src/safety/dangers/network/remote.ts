/** ssh: what its settings run here, and what it runs on the other machine. */

import { isUnknown, joinWords, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { OptionForm, Use, UsedOption } from "../program.ts";
import { readOptions } from "../use.ts";

const form: OptionForm = { short: "BbcDEeFIiJLlmOoPpQRSWw", stopAtOperand: true };

/** `ssh -p 22 host -v command`: options may also follow the host. */
function* logsIn([to, ...rest]: readonly Word[], { options, input }: Use): Iterable<Effect> {
  const { options: later, operands: command } = readOptions(rest, form);
  yield* settings([...options, ...later]);
  if (!to || options.some(({ name }) => /^[VQG]$/u.test(name))) return;
  yield* [{ type: "fetches", from: to } as const, danger("medium", "it logs in to another machine")];
  if (command.length > 0)
    yield { type: "interprets", language: "shell", code: joinWords(command, " "), remote: true };
  else if (input.isGiven) yield { type: "interprets-input", language: "shell", remote: true };
  if (command.some(({ carries }) => carries.has("secret"))) yield { type: "sends", to, words: command };
  if (command.length > 0 && input.isGiven) yield { type: "sends", to, input: true };
}

function* settings(options: readonly UsedOption[]): Iterable<Effect> {
  for (const { name, value } of options) {
    if (/^[LRDwWA]$/u.test(name)) yield danger("high", "it opens a way between this machine and another");
    if (!value) continue;
    if (name === "o") yield* setting(value);
    if (name === "E") yield { type: "writes", path: value, how: "replaces" };
    if (/^[FI]$/u.test(name) && !/^(?:none|\/dev\/null)$/u.test(value.text))
      yield* [danger("high", "it takes settings or code from a file"), loads(value)];
  }
}

/** They run a command, or open a way between this machine and another. */
const grave =
  /^(?:proxycommand|localcommand|knownhostscommand|xauthlocation|pkcs11provider|securitykeyprovider|include|match|localforward|remoteforward|dynamicforward|tunnel|forwardagent|sendenv)$/u;

/** `ProxyCommand=x`, `ProxyCommand x`. */
function* setting(option: Word): Iterable<Effect> {
  const [, name = "", value = ""] = /^\s*([^\s=]+)\s*=?\s*(.*)$/su.exec(option.text) ?? [];
  const key = name.toLowerCase();
  const word = withText(option, value);
  if (isUnknown(withText(option, name))) yield danger("high", "its settings are only known when it runs");
  if (/^(?:none|no)$/iu.test(value)) return;
  if (grave.test(key)) yield danger("high", `its setting ${name} runs a command or opens a way to here`);
  if (/^\w+command$/u.test(key) && key !== "permitlocalcommand")
    yield { type: "interprets", language: "shell", code: word, remote: key === "remotecommand" };
  if (key === "userknownhostsfile") yield { type: "writes", path: word, how: "edits" };
}

/** A plain ssh is the usual way to the other side: `rsync -e 'ssh -p 22'`. */
export const logins: Readonly<Record<string, WordsDo>> = {
  "logs in": logsIn,
  "ssh settings": (_, { options }) => settings(options),
  "ssh program": (words) =>
    words.flatMap((word) => [
      ...(/^(?:ssh|rsh)(?: |$)/u.test(word.text) ? [] : [danger("high", "its option runs a command")]),
      interprets("shell", word),
    ]),
};
