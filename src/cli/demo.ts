/** `toolwright demo`: the real agent on a small real task, offline, with a scripted model. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Expected } from "../base/expected.ts";
import { type Config, loadConfig } from "../configuration/config.ts";
import { parseArguments } from "../configuration/options/arguments.ts";
import { startRuntime, type Runtime } from "../runtime/runtime.ts";
import { setUpDemo, type DemoStage } from "../testing/demo.ts";
import type { ProcessTerminal } from "../tui/process-terminal.ts";
import type { OpenQuestion } from "../view/person-questions.ts";
import { questionLines } from "../view/plain.ts";
import { questionIn } from "../view/question.ts";
import { exitCodes, failWith } from "./cli-context.ts";
import { askPerson } from "./conversation/asked-person.ts";
import { startTalk, watch } from "./conversation/conversation.ts";
import { confirm } from "./conversation/questions.ts";
import type { Talk } from "./conversation/talk.ts";

/** Plays the task to its end, on a screen where a conversation would have one. A person at the terminal answers the questions; otherwise the demo approves them. */
export async function runDemo(terminal: ProcessTerminal, { plain }: Pick<Config, "plain">): Promise<number> {
  const stage = await setUpDemo();
  const stateDir = await mkdtemp(join(tmpdir(), "toolwright-demo-"));
  try {
    const runtime = await startOn(stage, stateDir, terminal);
    if (runtime.ok) return await playAndClose(stage, runtime.value, { terminal, plain });
    return failWith(terminal, runtime.problem);
  } finally {
    await stage.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** Starts like any run: options, configuration, provider, HTTP. Only the address of "Ollama" is the demo's own. */
async function startOn(
  stage: DemoStage,
  stateDir: string,
  terminal: ProcessTerminal,
): Promise<Expected<Runtime>> {
  const env = { PATH: terminal.env["PATH"], HOME: stateDir, OLLAMA_HOST: stage.url };
  const model = `ollama/${stage.model}`;
  const parsed = parseArguments(["--model", model, "--cwd", stage.workspace, "--state-dir", stateDir], {});
  if (!parsed.ok) return parsed;
  const settings = await loadConfig({ arguments: parsed.value, env, cwd: stage.workspace });
  return settings.ok ? startRuntime(settings.value, { env, interactive: true }) : settings;
}

type DemoPlace = { terminal: ProcessTerminal; plain: boolean };

async function playAndClose(stage: DemoStage, runtime: Runtime, place: DemoPlace): Promise<number> {
  try {
    return await play(stage, runtime, place);
  } finally {
    await runtime.close();
  }
}

async function play(stage: DemoStage, runtime: Runtime, { terminal, plain }: DemoPlace): Promise<number> {
  const opened = await runtime.open({});
  if (!opened.ok) return failWith(terminal, opened.problem);
  const talk = startTalk({ terminal, verbose: false, plain }, runtime, opened.value);
  const audience = terminal.inputIsTerminal && terminal.outputIsTerminal ? person : nobody;
  try {
    introduce(talk, stage, audience);
    talk.busy = true;
    talk.terminal.begin();
    await talk.session.command({ type: "send", content: [{ type: "text", text: stage.request }] });
    await watch(talk, { asked: [], ask: audience.ask });
    talk.busy = false;
    if (talk.leaving === undefined) await tellOfUndo(talk, audience);
    return talk.leaving ?? conclude(talk);
  } finally {
    talk.terminal.close();
    await talk.session.close();
  }
}

/** The behaviour with and without a person, who answers the questions. */
type Audience = {
  introduction: string;
  ask: (talk: Talk, asked: OpenQuestion) => Promise<void>;
  tellOfUndo: (talk: Talk) => Promise<void>;
};

const person: Audience = {
  introduction: "You will be asked before a file is changed.",
  ask: askPerson,
  tellOfUndo: offerUndo,
};

const nobody: Audience = {
  introduction: "No terminal is attached: each question is answered with yes.",
  ask: sayYes,
  tellOfUndo: async ({ terminal, style }) =>
    terminal.note(style.dim("In a conversation, /undo would undo the change now."), ""),
};

function introduce({ terminal, style }: Talk, stage: DemoStage, { introduction }: Audience): void {
  terminal.note(
    style.bold("Toolwright demo"),
    "The model is SCRIPTED: its words were written beforehand, and it is served over HTTP as Ollama would be.",
    "Everything else is real: the agent, its tools, the questions, the files, the tests.",
    `The project is a throw-away copy: ${stage.workspace}`,
    introduction,
    "",
  );
  terminal.echo("> ", stage.request);
}

async function sayYes({ session, terminal, style }: Talk, asked: OpenQuestion): Promise<void> {
  if (asked.type !== "approval-asked") return;
  terminal.note(...questionLines(questionIn(asked), style), style.dim("  yes (answered by the demo)"));
  const { callId } = asked;
  await session.command({ type: "answer-approval", callId, answer: "allow", scope: "once", by: "demo" });
}

async function tellOfUndo(talk: Talk, audience: Audience): Promise<void> {
  const [turn] = talk.session.state.turns;
  if (turn?.stopped === "done" && turn.changes.length > 0) await audience.tellOfUndo(talk);
}

async function offerUndo({ session, terminal }: Talk): Promise<void> {
  const wanted = await confirm(terminal, "Undo the change (as /undo does)?", "/undo");
  const undone = wanted ? await session.command({ type: "undo" }) : undefined;
  if (undone) terminal.note(undone.ok ? "Undone: total.js is as it was." : undone.problem);
  terminal.note("");
}

/** Prints what actually happened and what to do next; a demo that did not reach its end is a failure. */
function conclude({ session, terminal }: Talk): number {
  const [turn] = session.state.turns;
  if (turn?.stopped === "interrupted") return exitCodes.interrupted;
  const reached = turn?.stopped === "done";
  terminal.note(
    "That was the demo. For work of your own:",
    "  - start Ollama, LM Studio or llama-server, or paste a key at `toolwright login`, then run `toolwright`",
    "  - or try `toolwright --offline-model`, which follows simple orders (list, read, search, replace, run) in any directory",
  );
  return reached ? exitCodes.done : exitCodes.failed;
}
