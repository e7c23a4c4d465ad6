/** Requests about symbols at a position, and the parsing of their answers. */

import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { untilIdle } from "./checking.ts";
import type { LanguageServer } from "./language-server.ts";
import type { DocumentPosition } from "./positions.ts";
import { rangeIn } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";
import { saidWords } from "./server-words.ts";
import { uriOf } from "./uris.ts";

/** A name in a file, with its occurrences, likeliest first. */
export type LocatedSymbol = {
  language: LanguageServer;
  server: RunningServer;
  path: string;
  places: DocumentPosition[];
  note?: string;
};

/** `isEnough`: whether to accept an answer given while the server may still be loading the project. */
type LanguageRequest = { parameters: object; signal: AbortSignal; isEnough: (answer: unknown) => boolean };

/** An answer given while the project is loading may be incomplete, so the request is repeated afterwards. */
export async function askAgain(
  server: RunningServer,
  method: string,
  asked: LanguageRequest,
): Promise<Expected<unknown>> {
  const before = server.work.isUnderWay();
  const answer = await ask(server, method, asked);
  if (!before && !server.work.isUnderWay()) return answer;
  if (answer.ok && asked.isEnough(answer.value)) return answer;
  await untilIdle(server, asked.signal);
  return asked.signal.aborted ? answer : ask(server, method, asked);
}

/** `says`: whether an answer contains anything. */
type AskedAt = LanguageRequest & { says: (answer: unknown) => boolean };

/** Tries each occurrence until one yields an answer. */
export async function askAt(
  workspace: string,
  { server, path, places }: LocatedSymbol,
  method: string,
  { parameters, says, ...asked }: AskedAt,
): Promise<Expected<unknown>> {
  const textDocument = { uri: uriOf(workspace, path) };
  const answers: Expected<unknown>[] = [];
  for (const position of places) {
    const answer = await askAgain(server, method, {
      ...asked,
      parameters: { textDocument, position, ...parameters },
    });
    if (answer.ok && says(answer.value)) return answer;
    answers.push(answer);
    if (asked.signal.aborted) break;
  }
  return answers.find(({ ok: isAnswer }) => !isAnswer) ?? answers[0] ?? refuse("It does not stand there.");
}

async function ask(
  server: RunningServer,
  method: string,
  { parameters, signal }: Omit<LanguageRequest, "isEnough">,
): Promise<Expected<unknown>> {
  try {
    return { ok: true, value: await server.conversation.request(method, parameters, signal) };
  } catch (error) {
    const said = signal.aborted ? "it has not answered in time" : saidWords(errorMessage(error));
    return refuse(/[.!?]$/.test(said) ? said : `${said}.`);
  }
}

export const hasPlaces = (answer: unknown): boolean => locationsIn(answer).length > 0;

export type Location = { uri: string; at: DocumentPosition };

/** Parses `Location`, `Location[]` and `LocationLink[]`. */
export function locationsIn(answer: unknown): Location[] {
  const list: unknown[] = Array.isArray(answer) ? answer : [answer];
  const found = list.flatMap((one): Location[] => {
    if (!isObject(one)) return [];
    const uri = one["uri"] ?? one["targetUri"];
    const range = rangeIn(one["range"] ?? one["targetSelectionRange"]);
    return typeof uri === "string" && range ? [{ uri, at: range.start }] : [];
  });
  return [...new Map(found.map((place) => [JSON.stringify(place), place])).values()];
}
