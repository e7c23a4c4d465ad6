/** Before the first conversation: which model to use is asked if there is none, or more than one, and remembered. */

import { readdir } from "node:fs/promises";
import { lastModels } from "../../archive/sessions.ts";
import { countOf } from "../../base/amounts.ts";
import { realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import {
  isAtHand,
  type ModelSearch,
  type ProviderAtHand,
  providersAtHand,
} from "../../runtime/models/at-hand.ts";
import { openStore } from "../../runtime/runtime.ts";
import { askingAt } from "../../tui/line/asking.ts";
import { complain, exitCodes, type CliContext, printLines } from "../cli-context.ts";
import { toldWhile } from "../told-while.ts";

/** With what to begin; or that the person left. */
type FirstRun = { type: "ready"; context: CliContext } | { type: "left"; code: number };

type MenuEntry = { words: string; choose: () => Promise<MenuOutcome> };

/** `undefined`: back to the menu. */
type MenuOutcome = { type: "model"; model: string } | { type: "left"; code: number } | undefined;

/** No model is named. Asks nothing where exactly one is at hand. `demo` resolves to its exit code. */
export async function firstRun(context: CliContext, demo: () => Promise<number>): Promise<FirstRun> {
  const { settings, terminal } = context;
  const ready: FirstRun = { type: "ready", context };
  const last = await lastUsed(context);
  if (last !== undefined) return readyWith(context, last);
  let code: number = exitCodes.failed;
  for (;;) {
    const search = await toldWhile(terminal, "Looking for models", () =>
      providersAtHand(settings, terminal.env),
    );
    const [only, ...others] = search.found.flatMap(modelsOf);
    if (only !== undefined && others.length === 0)
      return only.model === undefined ? ready : readyWith(context, `${only.name}/${only.model}`);
    const entries = [
      ...search.found.flatMap((one) => entryOf(one, context)),
      { words: "paste a provider's key", choose: () => pasteKey(context) },
      {
        words: "demo: a scripted model, real tools, no network",
        choose: async () => void (code = await demo()),
      },
    ];
    printLines(terminal, menuLines(search, entries));
    const entry = await chosenOf(context, entries);
    if (entry === undefined) return { type: "left", code };
    const outcome = await entry.choose();
    if (outcome?.type === "left") return { type: "left", code };
    if (outcome === undefined) continue;
    await remember(context, outcome.model);
    const hint = await suggestion(settings.workspace);
    return { type: "ready", context: { ...context, settings: { ...settings, model: outcome.model }, hint } };
  }
}

const readyWith = (context: CliContext, model: string): FirstRun => ({
  type: "ready",
  context: { ...context, settings: { ...context.settings, model } },
});

/** What was used last, in this workspace or else anywhere, if it could be used now. */
async function lastUsed({ settings, terminal }: CliContext): Promise<string | undefined> {
  const opened = settings.noSave ? undefined : await openStore(settings);
  if (!opened?.ok) return undefined; // the conversation says why
  try {
    const models = await lastModels(opened.value, await realWorkspace(settings.workspace));
    for (const model of models) if (await isAtHand(model, settings, terminal.env)) return model;
  } finally {
    await opened.value.close();
  }
  return undefined;
}

/** What is meant if there is nothing else: a model of a server, or the usual one of a provider with a key. */
const modelsOf = ({ name, models }: ProviderAtHand): { name: string; model?: string }[] =>
  models?.map((model) => ({ name, model })) ?? [{ name }];

function menuLines({ found, problems }: ModelSearch, entries: readonly MenuEntry[]): string[] {
  const silent = found.filter(({ models }) => models?.length === 0);
  return [
    headingOf({ found, problems }),
    ...entries.map(({ words }, at) => `  ${at + 1}  ${words}`),
    ...problems.map(visibleLine),
    ...silent.map(
      ({ title }) => `${title} runs here, but has no model: load one, for example \`ollama pull qwen3:8b\`.`,
    ),
  ];
}

function headingOf({ found, problems }: ModelSearch): string {
  if (found.length > 0) return "No model is configured. Which one shall it be?";
  return problems.length > 0
    ? "No model can be used: no provider's key is set, and no model server answers as it should."
    : "No model is configured: no provider's key is set, and no model server runs here.";
}

function entryOf({ name, title, keyFrom, models }: ProviderAtHand, context: CliContext): MenuEntry[] {
  if (models === undefined)
    return [
      {
        words: `${title}: ${keyFrom ?? "its key is set"}`,
        choose: async () => ({ type: "model", model: name }),
      },
    ];
  const choose = async (): Promise<MenuOutcome> => {
    const rows = models.map((model) => ({ words: visibleLine(model), model }));
    if (rows.length > 1)
      printLines(
        context.terminal,
        rows.map(({ words }, at) => `  ${at + 1}  ${words}`),
      );
    const row = rows.length > 1 ? await chosenOf(context, rows) : rows[0];
    return row && { type: "model", model: `${name}/${row.model}` };
  };
  return models.length === 0 ? [] : [{ words: `${title}: ${countOf(models.length, "model")}`, choose }];
}

/** By its figure or its name; Enter takes the first. `undefined` when the person leaves. */
async function chosenOf<Row extends { words: string }>(
  { terminal }: CliContext,
  rows: readonly Row[],
): Promise<Row | undefined> {
  const person = askingAt(terminal);
  try {
    for (;;) {
      const said = await person.answer(`1 to ${rows.length}, or Enter for 1; q leaves: `);
      if (said === undefined) terminal.print("\n");
      const wanted = (said ?? "q").trim().toLowerCase();
      if (/^(?:q|quit|exit)$/u.test(wanted)) return undefined;
      const row =
        rows[(wanted === "" ? 1 : Number(wanted)) - 1] ??
        rows.find(({ words }) => wanted.length > 1 && words.toLowerCase().includes(wanted));
      if (row) return row;
      complain(
        terminal,
        `${JSON.stringify(visibleLine(wanted))} is none of these: type a figure from 1 to ${rows.length}.`,
      );
    }
  } finally {
    person.close();
  }
}

async function pasteKey(context: CliContext): Promise<MenuOutcome> {
  const { offerLogin } = await import("../login.ts");
  const taken = await offerLogin(context);
  if (taken === "left") return { type: "left", code: exitCodes.failed };
  return taken === undefined ? undefined : { type: "model", model: taken.name };
}

async function remember({ terminal, settings }: CliContext, model: string): Promise<void> {
  const { setInConfig } = await import("../../configuration/config-change.ts"); // only once, so loaded lazily
  const none = { command: "chat", flags: {}, environment: {} } as const;
  const sources = { arguments: none, env: terminal.env, cwd: settings.workspace };
  const kept = await setInConfig(sources, { scope: "user", key: "model", value: model });
  if (!kept.ok)
    return complain(terminal, `The choice is for this time, because it cannot be kept: ${kept.problem}`);
  printLines(terminal, [
    `${visibleLine(model)} is used from now on (${visibleLine(kept.value.path)}). \`toolwright config set model NAME\` changes it.`,
  ]);
}

/** What suits this directory, for somebody who has never said anything to it. */
async function suggestion(workspace: string): Promise<string> {
  const names = await readdir(workspace).catch(() => []);
  const task = names.some((name) => !name.startsWith("."))
    ? "Explain this project, and how its tests are run."
    : "Write a program that prints the first 20 prime numbers, and a test of it.";
  return `To begin with, try: ${task}`;
}
