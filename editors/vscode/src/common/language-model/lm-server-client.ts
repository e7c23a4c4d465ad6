/** Asks a running language-model server: for answers, and for what is known of a model. */

import { isObject } from "../../../../../src/base/json.ts";
import { piecesOf } from "../../../../../src/remote/event-stream.ts";
import { t } from "../translate.ts";
import { type AnswerPiece, answerPieces, AnswerProblem } from "./chat-answer.ts";
import type { ChatAsk } from "./chat-parts.ts";
import { chatRequest } from "./chat-request.ts";

/** `url` is like "http://127.0.0.1:4143". */
export type LmServerPlace = { url: string; token: string };

/** `tokens`: the context window; missing where it is not known. */
export type ModelLimits = { tokens?: number; sees: boolean };

/** Throws AnswerProblem, and what the signal's reason is. */
export async function* askModel(
  place: LmServerPlace,
  ask: ChatAsk,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece, void> {
  const response = await fetch(`${place.url}/v1/chat/completions`, {
    method: "POST",
    headers: headersFor(place),
    body: JSON.stringify(chatRequest(ask)),
    signal,
  });
  if (!response.ok) throw new AnswerProblem(await problemIn(response));
  yield* answerPieces(piecesOf(response.body));
}

/** Undefined if the model cannot be opened now. */
export async function modelLimits(
  place: LmServerPlace,
  model: string,
  signal: AbortSignal,
): Promise<ModelLimits | undefined> {
  const response = await fetch(`${place.url}/api/show`, {
    method: "POST",
    headers: headersFor(place),
    body: JSON.stringify({ model }),
    signal,
  });
  const shown: unknown = response.ok ? await response.json() : undefined;
  if (!isObject(shown)) return undefined;
  const info = isObject(shown["model_info"]) ? Object.entries(shown["model_info"]) : [];
  const [, tokens] = info.find(([key]) => key.endsWith(".context_length")) ?? [];
  const { capabilities } = shown;
  return {
    ...(typeof tokens === "number" ? { tokens } : {}),
    sees: Array.isArray(capabilities) && capabilities.includes("vision"),
  };
}

/** The names that the server offers. Throws if it is no such server, or refuses. */
export async function servedModels(place: LmServerPlace): Promise<string[]> {
  const response = await fetch(`${place.url}/v1/models`, { headers: headersFor(place) });
  if (!response.ok) throw new AnswerProblem(await problemIn(response));
  const listed: unknown = await response.json();
  const data = isObject(listed) && Array.isArray(listed["data"]) ? listed["data"] : [];
  return data.flatMap((one: unknown) => (isObject(one) && typeof one["id"] === "string" ? [one["id"]] : []));
}

const headersFor = ({ token }: LmServerPlace): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
});

async function problemIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = isObject(body) ? body["error"] : undefined;
  const message = isObject(error) ? error["message"] : error;
  return typeof message === "string" ? message : t("The model's server replied with {0}.", response.status);
}
