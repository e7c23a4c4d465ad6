/** Asks the model for a text only: once, and of what it answers nothing runs. For summaries, asides and verdicts. */

import { cutLine } from "../../base/cut-text.ts";
import { withoutMarks } from "../../protocol/done-mark.ts";
import { askedEffort } from "../../protocol/messages.ts";
import type { ModelEvent, Usage } from "../../protocol/model-events.ts";
import type { Prompt } from "../../providers/provider.ts";
import { StaleEpoch, StoreError } from "../../session/store.ts";
import type { TurnContext } from "../turn-context.ts";

/** `by`: the provider's name for the model. */
export type PlainAnswer = { by: string; usage: Usage | undefined } & (
  | { ok: true; text: string }
  | { ok: false; problem: string }
);

type PlainQuestion = {
  prompt: Prompt;
  /** Most characters accepted: beyond that, reading stops. */
  characters: number;
  /** Told when the provider tries again. */
  retrying?: (event: Extract<ModelEvent, { type: "retrying" }>) => void;
};

/** Throws only if the signal is aborted or the log fails. */
export async function askPlainly(
  { prompt, characters, retrying }: PlainQuestion,
  { model, log, signal }: Pick<TurnContext, "model" | "log" | "signal">,
): Promise<PlainAnswer> {
  const heard: HeardText = { pieces: [], length: 0, by: model.name, usage: undefined };
  try {
    for await (const event of model.ask({ ...prompt, ...askedEffort(log.state.reasoning) }, signal)) {
      if (event.type === "retrying") retrying?.(event);
      hear(heard, event);
      if (heard.length > characters) return failedAnswer(heard, "it did not come to an end");
    }
  } catch (error) {
    if (signal.aborted || error instanceof StoreError || error instanceof StaleEpoch) throw error;
    return failedAnswer(heard, error instanceof Error ? cutLine(error.message, 300) : String(error));
  }
  const text = withoutMarks(heard.pieces.join("")).trim();
  return text === ""
    ? failedAnswer(heard, "it said nothing")
    : { ok: true, text, by: heard.by, usage: heard.usage };
}

type HeardText = { pieces: string[]; length: number; by: string; usage: Usage | undefined };

const failedAnswer = ({ by, usage }: HeardText, problem: string): PlainAnswer => ({
  ok: false,
  problem,
  by,
  usage,
});

/** Only the answer's text counts: its calls are not run, and its reasoning is dropped. */
function hear(heard: HeardText, event: ModelEvent): void {
  switch (event.type) {
    case "text-delta":
      heard.pieces.push(event.text);
      heard.length += event.text.length;
      return;
    case "reasoning-delta":
      heard.length += event.text.length / 8; // long reasoning is not the answer, but may precede it
      return;
    case "call-delta":
      heard.length += event.json.length;
      return;
    case "text-was-reasoning":
      heard.pieces.length = 0;
      return;
    case "usage":
      heard.usage = event.usage;
      return;
    case "answer-start":
      if (event.model !== "") heard.by = event.model;
      return;
    default:
  }
}
