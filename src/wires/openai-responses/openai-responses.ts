/** The wire of OpenAI Responses (`POST /v1/responses`). */

import { decodeError, encodeError } from "../openai-chat/errors.ts";
import { bearer } from "../openai-chat/openai-chat.ts";
import type { Wire } from "../wire.ts";
import { encodeAsk, responsesName } from "./ask.ts";
import { decodeBatches, decodeWhole } from "./events.ts";
import { encodeEvents, encodeWhole } from "./reply.ts";
import { decodeAsk } from "./request.ts";

export const openaiResponses: Wire = {
  name: responsesName,
  path: () => "/responses",
  headers: bearer,
  encodeAsk,
  decodeBatches,
  decodeWhole,
  decodeError,
  streamType: "text/event-stream",
  conversation: "input",
  asked: ["/v1/responses", "/responses"],
  told: [],
  match: (path) => (/^(\/v1)?\/responses$/.test(path) ? {} : undefined),
  decodeAsk,
  encodeEvents,
  encodeWhole,
  encodeError,
};
