/** `run_task`: lets another agent give a task to one of our sessions, and reports the outcome. */

import * as z from "zod/mini";
import { type Expected, refuse } from "../base/expected.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { HostedRow, SessionHost } from "../hosting/session-host.ts";
import type { Mode, Entry, FactOf, Signal } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { attachPaths } from "../runtime/messages/attachments.ts";
import { switchField, textField } from "../tools/arguments/shape.ts";
import { type PersonQuestion, notePending, type Pending } from "../view/person-questions.ts";
import { refusalOf } from "../view/question-forms.ts";
import { mcpServerBounds } from "./bounds.ts";
import type { McpServerContext } from "./mcp-server-context.ts";
import { newTally, problem, resultOf, tally, type TaskTally } from "./outcome.ts";
import { progressFor } from "./progress.ts";
import { answerTo, askFor, type ClientAnswers, type RoundState } from "./rounds.ts";
import { type SessionToolContext, sessionTool, type ToolReply } from "./session-tool.ts";
import { findSession } from "./workspace-sessions.ts";

const picture = z.object({
  mimeType: textField("image/png, image/jpeg, image/gif or image/webp"),
  data: textField("Base64"),
});

export const runTask = sessionTool({
  name: "run_task",
  title: "Run a coding task",
  description:
    "Give a coding task to Toolwright, which reads, edits and runs things in the workspace with its own model, and wait for the end. The result has its answer, what it changed, what it verified, why it stopped, and the session: give that again to go on with it, or to undo_changes.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: {
    prompt: textField("What to do, with everything that has to be known"),
    session: z.optional(textField("Go on with this session; a new one by default")),
    onlyPlan: z.optional(
      switchField("Only look and plan: no file is changed, nothing is run that changes anything"),
    ),
    model: z.optional(textField('Another model than the usual one, "provider/model"')),
    files: z.optional(z.array(textField("A file of the workspace to send along: text or a picture"))),
    pictures: z.optional(z.array(picture)),
  },
  async run(input, given) {
    const { requestState, inputResponses = {} } = given.context.mcpReq;
    const round = requestState<RoundState>();
    if (round?.kind === "call") return problem(otherCall);
    if (round) return goOn({ id: round.session, after: round.after }, inputResponses, given);
    const { surface } = given;
    if (surface.tasks.size >= mcpServerBounds.tasks.most)
      return problem(
        `${surface.tasks.size} tasks are worked on already. Give this one again when one is done.`,
      );
    const begun = await begin(input, given);
    return begun.ok ? attend(begun.value, given) : problem(begun.problem);
  },
});

const otherCall = "What was brought back belongs to another call.";

type RunTaskInput = {
  prompt: string;
  session?: string | undefined;
  onlyPlan?: boolean | undefined;
  model?: string | undefined;
  files?: string[] | undefined;
  pictures?: { mimeType: string; data: string }[] | undefined;
};
type Task = { id: string; after: number };

async function begin(input: RunTaskInput, { surface, by }: SessionToolContext): Promise<Expected<Task>> {
  const content = await contentOf(input, surface);
  if (!content.ok) return content;
  const mode = input.onlyPlan === true && surface.mode !== "deny" ? ("plan" as const) : surface.mode;
  const found = await sessionFor(input, { surface, by, mode });
  if (!found.ok) return found;
  const { id } = found.value;
  if (surface.tasks.has(id)) return refuse(`Session ${id} works on another task: wait for its end.`);
  surface.tasks.add(id);
  const ready = await prepare(found.value, { surface, by, mode, model: input.model });
  const after = (await surface.host.row(id))?.facts ?? 0;
  const sent = ready.ok ? await surface.host.command(id, { type: "send", content: content.value }) : ready;
  if (sent.ok) return { ok: true, value: { id, after } };
  surface.tasks.delete(id);
  if (input.session === undefined) await surface.host.remove(id);
  return sent;
}

async function contentOf(
  { prompt, files = [], pictures = [] }: RunTaskInput,
  { workspace, objection }: McpServerContext,
): Promise<Expected<ContentPart[]>> {
  const attached = await attachPaths(files, withoutUndefined({ workspace, objection, inside: true }));
  const [first] = attached.problems;
  if (first !== undefined) return refuse(first);
  const images = pictures.map(({ mimeType, data }): ContentPart => ({
    type: "image",
    mediaType: mimeType,
    data,
  }));
  return { ok: true, value: [{ type: "text", text: prompt }, ...attached.content, ...images] };
}

type TaskContext = { surface: McpServerContext; by: string; mode: Mode };

async function sessionFor(
  { session, model }: RunTaskInput,
  { surface, mode }: TaskContext,
): Promise<Expected<HostedRow>> {
  if (session !== undefined) {
    const found = await findSession(surface, session);
    if (!found.ok || !surface.calls.has(found.value.id)) return found;
    return refuse("That session holds calls of tools, not tasks: begin a new one.");
  }
  return surface.host.create({ mode, ...(model === undefined ? {} : { model }) });
}

/** Closes an abandoned turn as interrupted, but refuses a session in which a turn is running. */
async function prepare(
  { id, standing, heldBy }: HostedRow,
  { surface: { host }, by, mode, model }: TaskContext & { model: string | undefined },
): Promise<Expected<undefined>> {
  if (heldBy !== undefined) return refuse(`Session ${id} is open in ${heldBy}.`);
  if (standing === "running") return refuse(`Session ${id} is worked on already: wait for its end.`);
  const commands = [
    ...(standing === "idle" ? [] : [{ type: "interrupt" as const, by }]),
    { type: "set-mode" as const, mode, by },
    ...(model === undefined ? [] : [{ type: "set-model" as const, model, by }]),
  ];
  for (const command of commands) {
    const done = await host.command(id, command);
    if (!done.ok && command.type !== "interrupt") return done;
  }
  return { ok: true, value: undefined };
}

async function goOn(task: Task, answers: ClientAnswers, given: SessionToolContext): Promise<ToolReply> {
  const { tasks, unanswered } = given.surface;
  unanswered.over(task.id);
  if (!tasks.has(task.id)) return problem("This task is over already; read_session tells how it ended.");
  return attend(task, given, answers);
}

/** Runs until the task is over or a person must be asked. */
async function attend(task: Task, given: SessionToolContext, answers?: ClientAnswers): Promise<ToolReply> {
  const { surface } = given;
  let waits = false;
  try {
    const { stop, sum } = await followTask(task, given, answers);
    if (stop.type === "ended") return resultOf(task.id, sum, stop.end);
    if (stop.type === "gone") return problem(`The task of session ${task.id} was broken off.`);
    waits = true;
    const round = { kind: "task" as const, session: task.id, after: task.after };
    return await askFor(
      stop.asked,
      {
        round,
        host: surface.host,
        gone: () => leave(task.id, surface),
        goOn: (told) => goOn(task, told, given),
      },
      given,
    );
  } finally {
    if (!waits) surface.tasks.delete(task.id);
  }
}

/** Stops the task, because no client is left to receive its outcome. */
function leave(id: string, { host, tasks }: McpServerContext): void {
  tasks.delete(id);
  host.command(id, { type: "interrupt" }).catch(() => undefined);
}

type TaskFollowResult = { stop: TurnStop; sum: TaskTally };

async function followTask(
  { id, after }: Task,
  { surface: { host }, context, canAsk, by }: SessionToolContext,
  answers: ClientAnswers | undefined,
): Promise<TaskFollowResult> {
  const { signal } = context.mcpReq;
  const progress = progressFor(context);
  const interrupt = (): void => void host.command(id, { type: "interrupt", by }).catch(() => undefined);
  signal.addEventListener("abort", interrupt, { once: true });
  if (signal.aborted) interrupt();
  let told = answers;
  const answered = new Set<number>();
  try {
    for (;;) {
      const sum = newTally();
      const heard: Parameters<typeof followTurn>[1]["heard"] = (event) => {
        tally(sum, event);
        progress.heard(event);
      };
      const stop = await followTurn(host, { id, after, signal, person: canAsk, answered, heard });
      if (stop.type !== "waits") return { stop, sum };
      const before = answered.size;
      for (const asked of stop.asked) {
        const refusal = canAsk ? undefined : refusalOf(asked, "toolwright");
        const command = told ? answerTo(asked, told, by) : refusal;
        if (command === undefined) continue;
        await host.command(id, command);
        answered.add(asked.seq);
      }
      told = undefined;
      if (answered.size === before) return { stop, sum };
    }
  } finally {
    signal.removeEventListener("abort", interrupt);
    progress.end();
  }
}

/** "gone": the caller no longer waits, or the session was deleted. */
type TurnStop =
  | { type: "ended"; end: FactOf<"turn-end"> }
  | { type: "waits"; asked: readonly PersonQuestion[] }
  | { type: "gone" };

type TurnFollower = {
  id: string;
  /** The fact before the turn's first: each follow starts at the turn's beginning. */
  after: number;
  signal: AbortSignal;
  /** Whether the follower can ask a person. */
  person: boolean;
  /** The numbers of the questions that were answered. */
  answered: ReadonlySet<number>;
  heard: (event: Entry | Signal) => void;
};

/** Questions that arrive within this time are reported together. */
const gatherMs = 40;

/** Follows a turn of a session until it ends or cannot continue without a person's answer. */
async function followTurn(host: SessionHost, following: TurnFollower): Promise<TurnStop> {
  const { id, after, signal, person, answered, heard } = following;
  const pending: Pending = new Map();
  const enough = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const both = AbortSignal.any([signal, enough.signal]);
    for await (const event of host.follow(id, after, { signal: both, person })) {
      heard(event);
      notePending(pending, event, answered);
      if (event.type === "turn-end") return { type: "ended", end: event };
      if (pending.size === 0) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(() => enough.abort(), gatherMs);
    }
  } finally {
    clearTimeout(timer);
  }
  const isWaiting = enough.signal.aborted && !signal.aborted && pending.size > 0;
  return isWaiting ? { type: "waits", asked: [...pending.values()] } : { type: "gone" };
}
