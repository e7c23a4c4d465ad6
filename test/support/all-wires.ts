/** Encodes a history for every wire and checks each request against its vendor's rules. */

import type { JsonObject } from "../../src/base/json.ts";
import { factVersion, type Entry } from "../../src/protocol/facts.ts";
import { step } from "../../src/protocol/fold.ts";
import { sendable } from "../../src/protocol/history.ts";
import type { Ask, Message } from "../../src/protocol/messages.ts";
import { emptyState, type SessionState } from "../../src/protocol/session-state.ts";
import { recoverLog } from "../../src/session/recover-log.ts";
import { wires } from "../../src/wires/index.ts";
import { models } from "./eventful-log.ts";
import { complaintsOf } from "./valid-requests.ts";

const tool = { name: "read_file", description: "Reads.", schema: { type: "object", properties: {} } };

/** The session state after recovery from a crash that left only `prefix`. */
export function afterCrash(prefix: readonly Entry[]): SessionState {
  const seq = prefix.length;
  const turn = prefix.at(-1)?.turn ?? 0;
  const mended = recoverLog(prefix).map((fact, at) => ({
    ...fact,
    v: factVersion,
    seq: seq + at + 1,
    at: 5000,
    turn,
  }));
  return [...prefix, ...mended].reduce(step, emptyState());
}

export function askOf(messages: readonly Message[], model: (typeof models)[number]): Ask {
  return {
    model: model.name.replace(/^[^/]*\//, ""),
    system: "Be brief.",
    messages: sendable(messages, { model: model.name }),
    tools: [tool],
    reasoning: "high",
    cacheKey: "session",
  };
}

export const sent = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body));

/** The violations on each wire, in words. */
export function complaints(messages: readonly Message[]): string[] {
  return models.flatMap((model) => {
    const ask = askOf(messages, model);
    const wire = wires[model.wire];
    const body = sent(wire.encodeAsk(ask, { streamed: true }));
    const read = wire.decodeAsk(body, { model: ask.model, streamed: true }).ask;
    const lost = read.messages.filter(({ role }) => role === "user").length === 0 ? ["nobody speaks"] : [];
    return [...complaintsOf(model.wire, body), ...lost].map((rule) => `${model.name}: ${rule}`);
  });
}
