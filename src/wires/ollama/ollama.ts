/** Ollama's chat API: https://docs.ollama.com/api/chat */

import type { Wire } from "../wire.ts";
import { encodeAsk } from "./ask.ts";
import { decodeError, encodeError } from "./errors.ts";
import { decodeBatches, decodeWhole } from "./events.ts";
import { told } from "./model-list.ts";
import { encodeEvents, encodeWhole, loadReply } from "./reply.ts";
import { decodeAsk } from "./request.ts";

/** The base URL has no version prefix ("http://127.0.0.1:11434"). */
export const ollama: Wire = {
  name: "ollama",
  path: () => "/api/chat",
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  encodeAsk,
  decodeBatches,
  decodeWhole,
  decodeError,
  streamType: "application/x-ndjson",
  conversation: "messages",
  takesAnyType: true,
  answerToNothing: loadReply,
  asked: ["/api/chat"],
  told,
  match: (path) => (path.replace(/\?.*$/s, "") === "/api/chat" ? {} : undefined),
  decodeAsk,
  encodeEvents,
  encodeWhole,
  encodeError,
};
