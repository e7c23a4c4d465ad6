/** `toolwright login` and `logout`: takes a provider's key, tries and keeps it, and forgets it again. */

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type Expected, refuse } from "../base/expected.ts";
import { visibleLine } from "../base/visible-text.ts";
import { readKeptKeys } from "../configuration/kept-keys.ts";
import { keyTaker, keyTakers, logIn, logOut, providerOfKey, readKey } from "../runtime/models/logging-in.ts";
import { askingAt } from "../tui/line/asking.ts";
import type { ProcessTerminal } from "../tui/process-terminal.ts";
import { complain, exitCodes, type CliContext, printLines, usageError, failWith } from "./cli-context.ts";
import { readPrompt } from "./headless/piped-input.ts";

type KeyTaker = ReturnType<typeof keyTakers>[number];

/** Exit code 0 when a key was kept. */
export async function runLogin(context: CliContext, words: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const named = namedIn(words, context);
  if (!named.ok) return usageError(terminal, named.problem);
  const isPerson = terminal.inputIsTerminal && terminal.outputIsTerminal;
  if (!isPerson && !terminal.inputIsPiped)
    return usageError(
      terminal,
      "There is nobody to ask for a key: pipe it, as in `toolwright login < key.txt`.",
    );
  const whose = named.value === undefined ? "Key (of any provider)" : `Key of ${named.value.title}`;
  const prompt = `${whose}; it stays hidden: `;
  const text = isPerson ? await hiddenLine(terminal, prompt) : await pipedKey(context);
  if (text === undefined) return exitCodes.failed;
  const key = readKey(text);
  if (!key.ok) return usageError(terminal, key.problem);
  const provider =
    named.value ??
    providerOfKey(key.value, settings) ??
    (isPerson ? await askWhose(context, "leaves it") : undefined);
  if (provider === "left") return exitCodes.failed;
  if (provider) {
    const kept = await keep(context, provider, key.value);
    if (kept) printLines(terminal, [`To use it: toolwright --model ${visibleLine(kept.model)}`]);
    return kept ? exitCodes.done : exitCodes.failed;
  }
  const names = keyTakers(settings).map(({ name }) => name);
  return usageError(
    terminal,
    `This key does not say whose it is: toolwright login PROVIDER, which is one of ${names.join(", ")}.`,
  );
}

/** Asks until a key is taken: whose it is; undefined if the person wants to go without. */
export async function offerLogin(context: CliContext): Promise<KeyTaker | "left" | undefined> {
  const { terminal, settings } = context;
  for (;;) {
    const text = await hiddenLine(
      terminal,
      "Paste a provider's key (it stays hidden), or press Enter to go back: ",
    );
    if (text === undefined) return "left";
    if (text.trim() === "") return undefined;
    const key = readKey(text);
    const provider = key.ok
      ? (providerOfKey(key.value, settings) ?? (await askWhose(context, "goes back")))
      : undefined;
    if (provider === "left") return "left";
    if (!key.ok) complain(terminal, key.problem);
    else if (provider && (await keep(context, provider, key.value))) return provider;
  }
}

/** A key among the words is refused unseen, because the shell's history has it now. */
function namedIn(words: readonly string[], { settings }: CliContext): Expected<KeyTaker | undefined> {
  const [word, more] = words;
  if (word === undefined) return { ok: true, value: undefined };
  if (providerOfKey(word, settings) !== undefined || word.length > longestName)
    return refuse(
      "A key does not belong on the command line, which the shell's history and other programs can read: run `toolwright login` and paste it there.",
    );
  if (more !== undefined)
    return refuse("toolwright login takes the name of one provider: see toolwright login --help.");
  return keyTaker(word, settings);
}

const longestName = 40;

async function pipedKey({ terminal }: CliContext): Promise<string> {
  const read = await readPrompt("-", terminal);
  return read.ok ? read.value.text : "";
}

/** Asks until the answer names a provider; undefined when the person goes back. */
async function askWhose(
  { terminal, settings }: CliContext,
  without: "goes back" | "leaves it",
): Promise<KeyTaker | "left" | undefined> {
  const names = keyTakers(settings).map(({ name }) => name);
  printLines(terminal, [`This key does not say whose it is: ${names.join(", ")}.`]);
  const person = askingAt(terminal);
  try {
    for (;;) {
      const answer = await person.answer(`Which provider? (Enter or q ${without}) `);
      if (answer === undefined) {
        terminal.print("\n");
        return "left";
      }
      const said = answer.trim();
      if (/^(?:q|quit|exit)?$/iu.test(said)) return undefined;
      const found = keyTaker(said, settings);
      if (found.ok) return found.value;
      complain(terminal, found.problem);
    }
  } finally {
    person.close();
  }
}

/** `model`: as for --model. Undefined, and told, if the key was refused. */
async function keep(
  context: CliContext,
  provider: KeyTaker,
  key: string,
): Promise<{ model: string } | undefined> {
  const { terminal, settings } = context;
  printLines(terminal, [`Trying the key at ${provider.title} …`]);
  const kept = await logIn(provider, key, { settings, env: terminal.env });
  if (!kept.ok) {
    complain(terminal, kept.problem);
    return undefined;
  }
  const { model, doubt } = kept.value;
  printLines(terminal, [
    doubt === undefined
      ? `It works, and is kept for you alone. \`toolwright logout ${provider.name}\` forgets it.`
      : `It is kept for you alone, but the trial says little: ${visibleLine(doubt)}`,
    ...setVariables(provider, context).map((name) => `${name} is set, too, and goes before it.`),
    ...(provider.key === undefined ? [] : ["The key in your configuration goes before it."]),
  ]);
  return { model: model === undefined ? provider.name : `${provider.name}/${model}` };
}

const setVariables = ({ keyNames }: KeyTaker, { terminal: { env } }: CliContext): string[] =>
  keyNames.filter((name) => (env[name] ?? "").trim() !== "");

/** Without a name: the only key that is kept. */
export async function runLogout(context: CliContext, words: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  if (words.length > 1) return usageError(terminal, "toolwright logout takes the name of one provider.");
  const kept = readKeptKeys(settings.stateDir);
  if (!kept.ok) return usageError(terminal, kept.problem);
  const names = Object.keys(kept.value);
  const name = words[0]?.toLowerCase() ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined && names.length > 1)
    return usageError(
      terminal,
      `Keys of ${names.join(", ")} are kept: name the one to forget, toolwright logout PROVIDER.`,
    );
  const gone = name === undefined ? undefined : await logOut(name, settings.stateDir);
  if (gone?.ok === false) return failWith(terminal, gone.problem);
  if (name === undefined || !gone?.value) {
    const others = names.length === 0 ? "" : `; there are keys of ${names.join(", ")}`;
    return failWith(
      terminal,
      `No key ${name === undefined ? "" : `of ${visibleLine(name)} `}is kept${others}.`,
    );
  }
  const provider = keyTakers(settings).find((one) => one.name.toLowerCase() === name);
  const left = provider ? setVariables(provider, context) : [];
  printLines(terminal, [
    `The key of ${name} is forgotten here. Whoever has a copy can use it until you revoke it at the provider.`,
    ...left.map((variable) => `${variable} is still set, and is used.`),
  ]);
  return exitCodes.done;
}

/** `undefined` when the person leaves: Ctrl-C, Ctrl-D, or the end of the input. */
function hiddenLine(terminal: ProcessTerminal, prompt: string): Promise<string | undefined> {
  const output = new Writable({ write: (_text, _encoding, done) => done() });
  const reading = createInterface({ input: terminal.input, output, terminal: true, historySize: 0 });
  terminal.print(prompt); // once the terminal echoes no more: a key that was pasted at its sight was seen
  return new Promise((resolve) => {
    const end = (line: string | undefined): void => {
      leaveSignals();
      resolve(line);
      reading.close();
    };
    const leaveSignals = terminal.onSignal(() => end(undefined));
    reading.once("line", end);
    reading.once("SIGINT", () => end(undefined));
    reading.once("error", () => end(undefined)); // the terminal is gone
    reading.once("close", () => end(undefined));
  }).then((line: unknown) => {
    terminal.print("\n");
    return typeof line === "string" ? line : undefined;
  });
}
