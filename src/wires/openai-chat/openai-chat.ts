/** The wire of OpenAI Chat Completions (`POST /v1/chat/completions`) and of everything compatible with it. */

import type { Wire } from "../wire.ts";
import { encodeAsk } from "./ask.ts";
import { decodeError, encodeError } from "./errors.ts";
import { decodeBatches, decodeWhole } from "./events.ts";
import { told } from "./model-list.ts";
import { chatName } from "./reasoning.ts";
import { encodeEvents, encodeWhole } from "./reply.ts";
import { decodeAsk } from "./request.ts";

export const openaiChat: Wire = {
  name: chatName,
  path: () => "/chat/completions",
  headers: bearer,
  encodeAsk,
  decodeBatches,
  decodeWhole,
  decodeError,
  streamType: "text/event-stream",
  conversation: "messages",
  asked: ["/v1/chat/completions", "/chat/completions"],
  told,
  match: (path) => (/^(\/v1)?\/chat\/completions$/.test(path) ? {} : undefined),
  decodeAsk,
  encodeEvents,
  encodeWhole,
  encodeError,
};

export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
