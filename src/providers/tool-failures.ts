/** Recognises server failures over tools that another way of asking can avoid. */

import { ModelError } from "../protocol/model-events.ts";

/** The server could not parse its own model's output, or lost it: repeating the request seldom helps. */
export const isUnreadByServer = (error: unknown): error is ModelError =>
  error instanceof ModelError &&
  (error.fault === "malformed_by_provider" || error.fault === "empty_tool_use");

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
