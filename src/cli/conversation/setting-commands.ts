/** The commands for a conversation's settings: /mode, /model, /reasoning, /rename. */

import { visibleLine } from "../../base/visible-text.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import { options } from "../../configuration/options/options.ts";
import { modes } from "../../protocol/fact-words.ts";
import { reasonings } from "../../protocol/messages.ts";
import { noReasoning, reasoningChoices } from "../../view/reasoning-choices.ts";
import { unlistedWarning } from "../model-table.ts";
import { argumentChoices } from "./argument-choices.ts";
import { chooseOne } from "./choose-one.ts";
import { showNew, tellProblem } from "./queue-commands.ts";
import type { Talk } from "./talk.ts";

export async function mode(talk: Talk, wanted: string): Promise<void> {
  const { session, terminal } = talk;
  const { status, mode: running } = session.state;
  if (wanted === "" && terminal.hasMenus)
    return withChosen(talk, { command: "mode", title: "Which mode?", present: session.mode }, mode);
  if (wanted === "") {
    const now = status === "running" && running !== session.mode ? ` (this request: ${running})` : "";
    const { help = "" } = options.find(({ name }) => name === "mode") ?? {};
    return terminal.note(
      `The mode is ${session.mode}${now}; /mode MODE sets another.`,
      help.replaceAll("`", ""),
    );
  }
  const known = modes.find((name) => name === wanted);
  if (!known)
    return terminal.note(
      `There is no mode "${visibleLine(wanted)}"${didYouMean(wanted, modes)}. There are: ${modes.join(", ")}.`,
    );
  const before = session.state.seq;
  const outcome = await session.command({ type: "set-mode", mode: known });
  if (!outcome.ok) return tellProblem(talk, outcome);
  if (session.state.seq === before) return terminal.note(`The mode is ${known} already.`);
  return showNew(talk); // prints the stored fact
}

/** How many models of one provider are listed. */
const mostListed = 15;

export async function model(talk: Talk, wanted: string): Promise<void> {
  const { session, terminal, style, context } = talk;
  if (wanted === "" && terminal.hasMenus)
    return withChosen(talk, { command: "model", title: "Which model?", present: session.model.name }, model);
  if (wanted === "") return listModels(talk);
  const before = session.model.name;
  const outcome = await session.command({ type: "set-model", model: wanted });
  if (!outcome.ok) return tellProblem(talk, outcome);
  const { name, notice } = session.model;
  await showNew(talk); // prints the stored fact
  terminal.note(
    ...(name === before ? [`The model is ${visibleLine(name)} already.`] : []),
    ...(notice === undefined ? [] : [style.yellow(`! ${visibleLine(notice)}`)]),
  );
  const [provider = ""] = session.model.name.split("/");
  const doubt = unlistedWarning(session.model.name, (await context.reach?.(provider)) ?? []);
  if (doubt !== undefined) terminal.note(style.yellow(`! ${visibleLine(doubt)}: /model shows what it has.`));
}

async function listModels({ session, terminal, context }: Talk): Promise<void> {
  terminal.note(`The model is ${visibleLine(session.model.name)}.`);
  const reach = (await context.reach?.()) ?? [];
  const lines = reach.flatMap(({ provider, models }) => {
    const shown = models.slice(0, mostListed).map((each) => `  ${visibleLine(`${provider}/${each}`)}`);
    const left = models.length - shown.length;
    return left > 0 ? [...shown, `  … and ${left} more of ${provider}`] : shown;
  });
  const none = "No other model is available: `toolwright models` says why.";
  terminal.note(
    ...(lines.length === 0
      ? [none]
      : [...lines, "/model PROVIDER/MODEL switches to one, also in the middle of a session."]),
  );
}

export async function reasoning(talk: Talk, wanted: string): Promise<void> {
  const { session, terminal } = talk;
  if (wanted === "" && terminal.hasMenus) {
    const { reasoning: present } = session;
    return withChosen(talk, { command: "reasoning", title: "How much shall it think?", present }, reasoning);
  }
  const width = Math.max(...reasonings.map(({ length }) => length));
  if (wanted === "")
    return terminal.note(
      `The reasoning is ${session.reasoning}; /reasoning EFFORT sets another.`,
      ...reasoningChoices.map((choice) => `  ${choice.reasoning.padEnd(width)}  ${choice.says}`),
    );
  const known = reasonings.find((name) => name === wanted);
  if (!known) return terminal.note(noReasoning(visibleLine(wanted)));
  const before = session.state.seq;
  const outcome = await session.command({ type: "set-reasoning", reasoning: known });
  if (!outcome.ok) return tellProblem(talk, outcome);
  if (session.state.seq === before) return terminal.note(`The reasoning is ${known} already.`);
  return showNew(talk);
}

/** Sets what the person chooses from a menu; `present` is where they begin. */
async function withChosen(
  talk: Talk,
  { command, title, present }: { command: string; title: string; present: string },
  set: (talk: Talk, word: string) => Promise<void>,
): Promise<void> {
  const choices = (await argumentChoices(talk, command)) ?? [];
  const at = choices.findIndex(({ name }) => name === present);
  const shown = choices.map(({ name, says }, place) => ({
    name,
    says: [...(says === "" ? [] : [says]), ...(place === at ? ["as now"] : [])].join(" "),
  }));
  const chosen = await chooseOne(talk, { title, choices: shown, at: Math.max(0, at), lines: [], prompt: "" });
  const word = chosen?.type === "choice" ? choices[chosen.at]?.name : chosen?.words;
  if (word !== undefined) await set(talk, word);
}

export async function rename(talk: Talk, title: string): Promise<void> {
  if (title === "") {
    const { title: known } = talk.session.state;
    const is = known === undefined ? "has no name yet" : `is called "${visibleLine(known)}"`;
    return talk.terminal.note(`The session ${is}. /rename TITLE gives it one.`);
  }
  tellProblem(talk, await talk.session.command({ type: "rename", title }));
  await showNew(talk);
}
