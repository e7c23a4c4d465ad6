/** The prompts of servers, which people call as `/server:prompt`. A server writes them, so models cannot call them. */

import { type Expected, refuse } from "../../base/expected.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { KnownMcpServer } from "./known-server.ts";
import { contentOf, stringAt } from "./result.ts";
import { timeoutOf } from "./tools.ts";
import { plainLine } from "./words.ts";

export type ServerPrompt = {
  server: string;
  /** The server's own name for it. */
  name: string;
  /** What a person types after `/`: "server:prompt". */
  command: string;
  description: string;
  arguments: { name: string; description: string; isRequired: boolean }[];
};

export const promptsOf = (servers: readonly KnownMcpServer[]): ServerPrompt[] =>
  servers.flatMap(({ name: server, server: { offer } }) =>
    (offer?.prompts ?? []).flatMap((prompt): ServerPrompt[] => {
      const name = stringAt(prompt, "name");
      if (!canBeTyped.test(name)) return [];
      const command = `${serverWord(server)}:${serverWord(name)}`;
      const description = plainLine(stringAt(prompt, "description") || stringAt(prompt, "title"), 300);
      return [{ server, name, command, description, arguments: argumentsOf(prompt) }];
    }),
  );

const canBeTyped = /^[^\p{Cc}\p{Cf}]{1,100}$/u;

/** The name of a server or prompt in characters that people can type after a slash. */
export const serverWord = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, "_");

function argumentsOf(prompt: JsonObject): ServerPrompt["arguments"] {
  const given = prompt["arguments"];
  return (Array.isArray(given) ? given : []).flatMap((one) => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) return [];
    const name = stringAt(one, "name");
    if (name === "") return [];
    return [
      {
        name,
        description: plainLine(stringAt(one, "description"), 200),
        isRequired: one["required"] === true,
      },
    ];
  });
}

/** Fills the arguments from the typed text: one word each and the rest for the last, or `name=value`. */
export async function renderedPrompt(
  servers: readonly KnownMcpServer[],
  { command, words, signal }: { command: string; words: string; signal: AbortSignal },
): Promise<Expected<ContentPart[]>> {
  const prompt = promptsOf(servers).find((one) => one.command === command);
  const known = servers.find(({ name }) => name === prompt?.server);
  if (!prompt || !known) return refuse(`There is no prompt /${plainLine(command, 120)}.`);
  const given = argumentsIn(words, prompt.arguments);
  const missing = prompt.arguments.filter(({ name, isRequired }) => isRequired && given[name] === undefined);
  if (missing.length > 0) return refuse(usageOf(prompt));
  const how = { signal, timeout: timeoutOf(known.settings) };
  const asked = await known.server.ask("prompts/get", { name: prompt.name, arguments: given }, how);
  return asked.ok ? messagesIn(asked.value, prompt) : asked;
}

function usageOf({ command, arguments: known }: ServerPrompt): string {
  const shown = known.map(({ name, isRequired }) =>
    isRequired ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  const about = known.flatMap(({ name, description }) =>
    description === "" ? [] : [`${name}: ${description.replace(/\.$/u, "")}`],
  );
  const usage = `It is called as /${command} ${shown.join(" ")}`;
  return about.length === 0 ? `${usage}.` : `${usage} (${about.join("; ")}).`;
}

function argumentsIn(words: string, known: ServerPrompt["arguments"]): Record<string, string> {
  const given: Record<string, string> = {};
  const named = [...words.matchAll(/(?:^|\s)([\w-]+)=(?:"([^"]*)"|(\S+))/gu)].filter(([, name]) =>
    known.some((one) => one.name === name),
  );
  for (const [, name = "", quoted, plain] of named) given[name] = quoted ?? plain ?? "";
  const rest = named.reduce((left, [all]) => left.replace(all, " "), words).trim();
  const open = known.filter(({ name }) => given[name] === undefined);
  const pieces = rest === "" ? [] : (rest.match(/"[^"]*"|\S+/gu) ?? []);
  for (const [at, { name }] of open.entries()) {
    const isLast = at === open.length - 1;
    const value = isLast ? pieces.slice(at).join(" ") : (pieces[at] ?? "");
    if (value !== "") given[name] = value.replace(/^"([^"]*)"$/u, "$1");
  }
  return given;
}

function messagesIn(answer: JsonObject, { command }: ServerPrompt): Expected<ContentPart[]> {
  const messages = Array.isArray(answer["messages"]) ? answer["messages"] : [];
  const parts = messages.flatMap((message): ContentPart[] => {
    if (typeof message !== "object" || message === null || Array.isArray(message)) return [];
    const { role, content } = message;
    const { words, images } = contentOf(
      Array.isArray(content) ? content : content === undefined ? [] : [content],
    );
    const said = words.join("\n");
    const shown = role === "assistant" && said !== "" ? `(as if you had said:) ${said}` : said;
    return [...(shown === "" ? [] : [{ type: "text" as const, text: shown }]), ...images];
  });
  return parts.length > 0 ? { ok: true, value: parts } : refuse(`The prompt /${command} says nothing.`);
}
