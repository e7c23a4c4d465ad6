/** Cohere's chat API, version 2: https://docs.cohere.com/reference/chat */

import type { Wire } from "../wire.ts";
import { encodeAsk } from "./ask.ts";
import { decodeError, encodeError } from "./errors.ts";
import { decodeBatches, decodeWhole } from "./events.ts";
import { told } from "./model-list.ts";
import { encodeEvents, encodeWhole } from "./reply.ts";
import { decodeAsk } from "./request.ts";
import { wireName } from "./thinking.ts";

/** The base URL has no version prefix ("https://api.cohere.com"), because version 1 lists the models. */
export const cohere: Wire = {
  name: wireName,
  path: () => "/v2/chat",
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  encodeAsk,
  decodeBatches,
  decodeWhole,
  decodeError,
  streamType: "text/event-stream",
  conversation: "messages",
  asked: ["/v2/chat"],
  told,
  match: (path) => (path.replace(/\?.*$/s, "") === "/v2/chat" ? {} : undefined),
  decodeAsk,
  encodeEvents,
  encodeWhole,
  encodeError,
};
