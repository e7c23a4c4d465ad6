/** Whether a message could ever be asked about: what is said is never shortened, so one that is too long blocks a session. */

import type { ContentPart } from "../../protocol/messages.ts";
import type { TurnContext } from "../turn-context.ts";
import { budgetFor } from "./budget.ts";
import { countPrompt, estimateFrame, estimateMessages } from "./count.ts";
import { mostTokens } from "./estimate.ts";
import { nextPrompt } from "./moves.ts";

/** Estimates err: what may just fit is tried. */
const surely = 0.8;

/** Why the model cannot take the message, alone with the tools and the system prompt; undefined if it may. */
export function whyTooLong(content: ContentPart[], context: TurnContext): string | undefined {
  const { model, log } = context;
  const message = { role: "user" as const, content };
  const { window, isAssumed } = budgetFor(model, log.state.context, 0);
  if (isAssumed || mostTokens(message) <= window / 2) return undefined;
  const prompt = nextPrompt(context);
  const { rate } = countPrompt(prompt);
  const [tokens, frame] = [estimateMessages([message], rate), estimateFrame(prompt, rate)];
  if ((tokens + frame) * surely <= window) return undefined;
  return `The message is too long for ${model.name}: about ${tokens} tokens, of ${window} in all, ${frame} of them for the tools and the system prompt. It was not sent. Save it as a file and name its path, send less at a time, or choose a model with a larger context window.`;
}
