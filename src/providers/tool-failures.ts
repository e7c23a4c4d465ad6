/** Recognises server failures over tools that another way of asking can avoid. */

import { ModelError } from "../protocol/model-events.ts";

/** The server could not parse its own model's output, or lost it: repeating the request seldom helps. */
export const isUnreadByServer = (error: unknown): error is ModelError =>
  error instanceof ModelError &&
  (error.fault === "malformed_by_provider" || error.fault === "empty_tool_use");

/**
 * The failure of a request with tools, blamed on the server's reading of its model's calls unless something else is
 * known to have gone wrong. Every server has its own readers, whose complaints change with each version; what else goes
 * wrong is a short list. A wrong guess costs one request as text.
 */
export const blameTools = (error: ModelError): ModelError =>
  error.fault !== "empty_tool_use" && isLikelyUnread(error)
    ? error.with({ fault: "malformed_by_provider" })
    : error;

function isLikelyUnread({ kind, status, fault, midStream, said = "", written }: ModelError): boolean {
  if (written !== undefined) return true;
  const words = said.slice(0, 150).replaceAll(/(["'`]).*?(?:\1|$)/g, "");
  if (said === "" || otherCause.test(words)) return false;
  const hasBegun = midStream || (fault === "stream_error" && status === undefined);
  if (kind === "server") return hasBegun || status === 500;
  // Requests are refused in many words: only those about what was generated count.
  return kind === "bad-request" && (hasBegun || status === 400) && generated.test(words);
}

/** What a server complains about other than its model's output; an error without a reason is one of them. */
const otherCause = new RegExp(
  [
    "memory|cuda|gpu|rocm|vulkan|metal|ggml|device|disk|runner|terminated|signal|crash|killed|assert",
    "\\bload|connect|socket|network|dial|refused|reset|timed? ?out|timeout|deadline|cancell?ed|abort",
    "limit|quota|capacity|busy|unavailable|too (?:many|long|large)|context|billing|permission|api key",
    "internal|upstream|gateway|provider|server (?:had|encountered|error)|try again|retry",
    "(?:unknown|unexpected|an) error|something went wrong",
  ].join("|"),
  "i",
);

const generated =
  /pars(?:e|ing|er)\b|generat|message header|recipient|grammar|tool_use_failed|fail.{0,40}\b(?:tool|call|function)|\b(?:tool|call|function).{0,40}fail/i;

/** The server, or this model on it, takes no tools: its capabilities were not queried, or it misreports them. */
export const isRefusalOfTools = (error: unknown): error is ModelError =>
  error instanceof ModelError &&
  error.status !== undefined &&
  !error.midStream &&
  (refusal.test(error.message) || support.test(error.message));

/** vLLM: "tool choice requires --enable-auto-tool-choice", llama.cpp: "tools param requires --jinja flag". */
const refusal =
  /\b(?:tools?|functions?)\b.{0,60}?(?:\bnot (?:supported|enabled|available|allowed)|\bunsupported|\brequires --)/i;
/** Ollama: "does not support tools", OpenRouter: "No endpoints found that support tool use". */
const support = /(?:\bno|\bnot|n't)\b.{0,40}?\bsupport\b.{0,40}?\b(?:tools?|functions?)\b/i;
