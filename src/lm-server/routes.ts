/** Builds the server's route table from the wires: each path with the wires that may answer it. */

import type { JsonObject } from "../base/json.ts";
import { commonStart } from "../base/text.ts";
import { wires } from "../wires/index.ts";
import type { ClientRequest, ModelInventory } from "../wires/model-list.ts";
import { openaiChat } from "../wires/openai-chat/openai-chat.ts";
import type { Wire } from "../wires/wire.ts";

/** `tell`: answers without a model; if absent, the model answers. */
export type WireCandidate = {
  wire: Wire;
  isAsked: (question: ClientRequest) => boolean;
  tell?: (question: ClientRequest, teller: ModelInventory) => JsonObject | Promise<JsonObject>;
};

type WireRoute = { method: "GET" | "POST"; path: string; candidates: readonly WireCandidate[] };

export function routesOfWires(all: readonly Wire[] = Object.values(wires)): WireRoute[] {
  const found = all.flatMap(candidatesOf);
  const places = Map.groupBy(found, ({ method, path }) => `${method} ${path}`);
  return [...places.values()].flatMap((at) => {
    const [first] = at;
    if (!first) return [];
    const candidates = at.toSorted((one, other) => one.rank - other.rank).map(({ candidate }) => candidate);
    return [{ method: first.method, path: first.path, candidates }];
  });
}

/** Candidates that can recognise their clients come first, those that accept any client last. */
type RankedCandidate = Omit<WireRoute, "candidates"> & { rank: number; candidate: WireCandidate };

function candidatesOf(wire: Wire): RankedCandidate[] {
  const asked = wire.asked.map((path): RankedCandidate => ({
    method: "POST",
    path,
    rank: 1,
    candidate: { wire, isAsked: (question) => wire.match(question.path) !== undefined },
  }));
  const told = wire.told.map(({ method, path, isAsked, tell }): RankedCandidate => ({
    method,
    path,
    rank: isAsked ? 0 : 2,
    candidate: { wire, isAsked: isAsked ?? (() => true), tell },
  }));
  return [...asked, ...told];
}

/** The format for refusing an unmatched request: the client's own, or that of the most similar paths. */
export function likelyWire(question: ClientRequest, routes: readonly WireRoute[]): Wire {
  const all = routes.flatMap(({ path, candidates }) =>
    candidates.map(({ wire, isAsked }) => ({ wire, isAsked, alike: commonStart(path, question.path) })),
  );
  const most = Math.max(0, ...all.map(({ alike }) => alike));
  const nearest = all.filter(({ alike }) => alike === most);
  const meant = nearest.find(({ isAsked }) => isAsked(question));
  const only = new Set(nearest.map(({ wire }) => wire));
  return meant?.wire ?? (only.size === 1 ? nearest[0]?.wire : undefined) ?? openaiChat;
}
