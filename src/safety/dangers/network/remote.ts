/** Programs that work on other machines: remote logins, and copies between machines. */

import { isUnknown, joined, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { cutAt } from "../parts.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { after } from "../verbs.ts";
import { transferCommands } from "./transfer-commands.ts";

const sshOptions: OptionForm = { short: "BbcDEeFIiJLlmOoPpQRSWw", stopAtOperand: true };
const tunnel = danger("high", "it opens a tunnel between this machine and another");

export const logins: readonly Program[] = [
  program("ssh autossh slogin dbclient plink", ssh, {
    options: { ...sshOptions, short: `${sshOptions.short}M` },
  }),
  program("scp pscp", scp, { options: { short: "cDFiJloPSX" } }),
  program("sftp psftp", sftp, { options: { short: "BbcDFiJloPRSsX" } }),
];

function* ssh(use: Use): Iterable<Effect> {
  const [to, ...rest] = use.operands;
  const later = after(use, rest, sshOptions);
  yield* sshSettings(use);
  yield* sshSettings(later);
  if (!to || use.has("V", "Q", "G")) return;
  yield { type: "fetches", from: to };
  yield danger("medium", "it logs in to another machine");
  yield* onTheOtherSide(use, to, later.operands);
  yield { type: "prints", flows: ["network"] };
}

function* onTheOtherSide(use: Use, to: Word, command: readonly Word[]): Iterable<Effect> {
  if (command.length > 0) {
    yield { type: "interprets", language: "shell", code: joined(command, " "), remote: true };
    if (command.some(({ carries }) => carries.has("secret"))) yield { type: "sends", to, words: command };
    if (use.input.isGiven) yield { type: "sends", to, input: true };
  } else if (use.input.isGiven) yield { type: "interprets-input", language: "shell", remote: true };
}

function* sshSettings(use: Use): Iterable<Effect> {
  if (use.has("L", "R", "D", "w", "W")) yield tunnel;
  if (use.has("A")) yield danger("high", "it lends your keys to the other machine");
  for (const path of use.values("F"))
    if (path.text !== "none" && path.text !== "/dev/null")
      yield* [
        { type: "reads", path } as const,
        danger("high", "it takes its settings from a file, which can run commands"),
      ];
  for (const path of use.values("I")) yield* [loads(path), danger("high", "its option -I loads code")];
  yield* replaces(use.values("E"));
  for (const option of use.values("o")) yield* sshOption(option);
}

const runningOptions =
  /^(?:proxycommand|localcommand|knownhostscommand|xauthlocation|pkcs11provider|securitykeyprovider|permitlocalcommand|include|match)$/u;

/** `ProxyCommand=x`, `ProxyCommand x`. */
export function* sshOption(option: Word): Iterable<Effect> {
  const [, name = "", value = ""] = /^\s*([^\s=]+)\s*=?\s*(.*)$/su.exec(option.text) ?? [];
  const key = name.toLowerCase();
  const word = withText(option, value);
  if (isUnknown(withText(option, name))) yield danger("high", "its settings are only known when it runs");
  if (runningOptions.test(key) && !/^(?:none|no)$/iu.test(value)) {
    yield danger("high", `its setting ${name} runs a command`);
    if (key.endsWith("command") && key !== "permitlocalcommand") yield interprets("shell", word);
  }
  if (/^(?:localforward|remoteforward|dynamicforward|tunnel)$/u.test(key) && value !== "no") yield tunnel;
  if (key === "forwardagent" && value !== "no")
    yield danger("high", "it lends your keys to the other machine");
  if (key === "userknownhostsfile" && value !== "/dev/null")
    yield { type: "writes", path: word, how: "edits" };
  if (key === "remotecommand") yield { type: "interprets", language: "shell", code: word, remote: true };
  if (key === "sendenv") yield danger("high", "it sends variables of the environment to the other machine");
}

function* copySettings(use: Use): Iterable<Effect> {
  for (const option of use.values("o")) yield* sshOption(option);
  for (const code of use.values("S", "D"))
    yield* [danger("high", "its option runs a command"), interprets("shell", code)];
  for (const path of use.values("F"))
    yield* [
      { type: "reads", path } as const,
      danger("high", "it takes its settings from a file, which can run commands"),
    ];
}

function* scp(use: Use): Iterable<Effect> {
  yield* copySettings(use);
  const target = use.operands.at(-1);
  if (!target || use.operands.length < 2) return;
  const sources = use.operands.slice(0, -1);
  const files = sources.filter((source) => !isRemote(source));
  for (const from of sources.filter(isRemote)) yield { type: "fetches", from };
  yield* reads(files);
  if (isRemote(target)) yield { type: "sends", to: target, files };
  else
    yield {
      type: "writes",
      path: target,
      how: "replaces",
      ...(sources.some(isRemote) && { content: fetched }),
    };
}

/** `host:path` and `scp://host/path`; with a `/` before the colon it is a local file name. */
const isRemote = (word: Word): boolean => {
  const host = cutAt(word, ":")?.before.text;
  return host !== undefined && host !== "" && !host.includes("/");
};

function* sftp(use: Use): Iterable<Effect> {
  yield* copySettings(use);
  const [from, path] = use.operands;
  if (!from) return;
  yield { type: "fetches", from };
  for (const file of use.values("b")) if (file.text !== "-") yield { type: "reads", path: file };
  yield danger("medium", "it logs in to another machine");
  const { input } = use;
  if (input.isGiven && input.text) yield* transferCommands(input.text, from);
  else if (use.has("b") || input.isGiven) yield danger("high", "its commands can send and remove files");
  if (path) yield { type: "writes", path, how: "creates" };
}
