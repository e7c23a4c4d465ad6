/** Classifies errors of a server, and words them for people and models. */

import { isObject, parseJson } from "../../base/json.ts";
import { LoginNeeded } from "./login-provider.ts";
import { unreadCode, UnreadAnswer } from "./unread.ts";
import { plainLine, plainWords } from "./words.ts";

export type ServerProblem = {
  /**
   * `gone`: connection lost; `over`: the server forgot the session; `answer`: a protocol error from the server;
   * `refused`: an HTTP error; `unread`: there was an answer, but it was not read.
   */
  kind: "login" | "gone" | "over" | "time" | "answer" | "refused" | "unread";
  words: string;
};

const longest = 1_000;

export function problemOf(error: unknown): ServerProblem {
  const { code, name } = isObject(error) ? error : {};
  const words = plainWords(wordsOf(error), longest);
  if (needsLogin(error)) return { kind: "login", words };
  if (code === unreadCode || error instanceof UnreadAnswer) return { kind: "unread", words };
  if (code === "REQUEST_TIMEOUT") return { kind: "time", words };
  if (name === "ProtocolError" || typeof code === "number") return { kind: "answer", words };
  const status = statusOf(error);
  if (status === undefined) return { kind: "gone", words };
  return { kind: status === 404 ? "over" : "refused", words };
}

/** 4xx, except where a login or a retry would help: the server may speak another version of the protocol. */
export function isRefusedByHttp(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/** No event stream at this address: 4xx, or another content type. */
export function isNothingThere(error: unknown): boolean {
  const { code, name } = isObject(error) ? error : {};
  return name === "SseError" || (typeof code === "number" && code >= 400 && code < 500);
}

function needsLogin(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof LoginNeeded || at.name === "UnauthorizedError" || statusOf(at) === 401) return true;
  return false;
}

function statusOf(error: unknown): number | undefined {
  const data = isObject(error) ? error["data"] : undefined;
  const status = isObject(data) ? data["status"] : undefined;
  return typeof status === "number" ? status : undefined;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const status = statusOf(error);
  const [, target] = /: Redirect .*?(\S+:\/\/\S+) (?:not followed|as the endpoint)/u.exec(message) ?? [];
  if (target !== undefined)
    return `it redirects to ${target}, which was not followed: if that is the server you mean, make it its url`;
  if (status !== undefined && status >= 400) return httpWords(status, message.replace(/^[^:]*: /u, ""));
  const [, type] = /^Unexpected content type: (.*)/u.exec(message) ?? [];
  if (type !== undefined)
    return `it answers with ${type === "null" ? "nothing" : type}, as no tool server does: check its url`;
  if (message === "terminated") return "the connection broke off before the end of its answer";
  if (error.name === "SyntaxError") return `its answer is no JSON that can be read (${message})`;
  const [, method = "a request", issues] =
    /^(?:Invalid result for (\S+): )?(\[\s*\{.*\])$/su.exec(message) ?? [];
  if (issues !== undefined) return `its answer to ${method} is none of the protocol${issueWords(issues)}`;
  return message === "fetch failed" ? unreachableProblem(error.cause) : message;
}

/** Rewords a validation error of the SDK, which is JSON. */
function issueWords(issues: string): string {
  const parsed = parseJson(issues);
  const listed: readonly unknown[] = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  const told = listed.filter(isObject).flatMap(({ path, message }) => {
    const where = Array.isArray(path) ? path.join(".") : "";
    return where === "" ? [] : [`${where}: ${String(message)}`];
  });
  return told.length === 0 ? "" : ` (${told.join("; ")})`;
}

/** Includes what a person can do about it. */
function httpWords(status: number, body: string): string {
  const said = plainLine(body.replaceAll(/<[^<>]*>/gu, " ").trim(), 200);
  const answer = `it answers with status ${status}${said === "" ? "" : ` (${said})`}`;
  if (status === 403) return `${answer}: check its headers, and what this account may do`;
  if (status === 404 || status === 405 || status === 410) return `${answer}: check its url`;
  return answer;
}

/** "fetch failed" alone does not help anyone. */
function unreachableProblem(cause: unknown): string {
  if (!(cause instanceof Error)) return "it cannot be reached";
  if (/wrong version number/u.test(cause.message))
    return "it cannot be reached: it does not speak https there; check its url";
  if (cause.message !== "") return `it cannot be reached: ${cause.message}`;
  return `it cannot be reached (${"code" in cause ? String(cause.code) : "no connection"})`;
}
