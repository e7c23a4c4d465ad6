/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages */

import type { Wire } from "../wire.ts";
import { encodeAsk } from "./ask.ts";
import { decodeError, encodeError } from "./errors.ts";
import { decodeBatches, decodeWhole } from "./events.ts";
import { told } from "./model-list.ts";
import { encodeEvents, encodeWhole } from "./reply.ts";
import { decodeAsk } from "./request.ts";
import { wireName } from "./state.ts";
import { bindingBeta, bindsThoughts } from "./thinking.ts";

const none: Record<string, string> = {};
const askHeaders = (model: string): Record<string, string> =>
  bindsThoughts(model) ? { "anthropic-beta": bindingBeta } : none;

/** The base URL has no version prefix ("https://api.anthropic.com"), as the vendor's own clients expect. */
export const anthropic: Wire = {
  name: wireName,
  path: () => "/v1/messages",
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key === undefined ? {} : { "x-api-key": key }),
  }),
  askHeaders,
  encodeAsk,
  decodeBatches,
  decodeWhole,
  decodeError,
  streamType: "text/event-stream",
  conversation: "messages",
  asked: ["/v1/messages"],
  told,
  match: (path) => (path.replace(/\?.*$/s, "") === "/v1/messages" ? {} : undefined),
  decodeAsk,
  encodeEvents,
  encodeWhole,
  encodeError,
};
