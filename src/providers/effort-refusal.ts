/** A server that refuses the effort of reasoning: what to do is to choose another. */

import type { ReasoningEffort } from "../protocol/messages.ts";
import type { ModelError } from "../protocol/model-events.ts";

/** The failure of a request with this effort, with advice if that is what the server complains about. */
export const blameEffort = (error: ModelError, effort: ReasoningEffort | undefined): ModelError =>
  effort !== undefined && error.kind === "bad-request" && aboutThinking.test(error.said ?? error.message)
    ? error.with({ advice: `It was asked for reasoning ${effort}: choose another, or default for its own.` })
    : error;

/** "Unsupported parameter: 'reasoning.effort'", "adaptive thinking is not supported on this model" and the like. */
const aboutThinking = /reasoning|thinking|effort/i;
