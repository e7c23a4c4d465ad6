/** Resolves a prompt that a person calls; its server is started for it if needed, with a short wait. */

import { inTime } from "../../base/async.ts";
import type { Expected } from "../../base/expected.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { toolServerBounds } from "./bounds.ts";
import type { KnownMcpServer } from "./known-server.ts";
import type { ServerManager, User } from "./manager.ts";
import { promptsOf, renderedPrompt, type ServerPrompt, serverWord } from "./prompts.ts";

/** `command`: the text after the slash; `words`: the text after the command. */
export type PromptCall = { command: string; words: string; signal: AbortSignal };
export type CalledPrompt = { prompt: ServerPrompt; rendered: Expected<ContentPart[]> };

/** Undefined: no server has it. The problem says why that cannot be determined yet. */
export async function calledPrompt(
  manager: ServerManager,
  call: PromptCall,
  firstWait: number = toolServerBounds.firstWait.most,
): Promise<CalledPrompt | { problem: string } | undefined> {
  const user: User = { started: () => () => {} };
  await manager.use(user);
  try {
    return await lookUp(manager.servers(), call, firstWait);
  } finally {
    await manager.leave(user);
  }
}

async function lookUp(
  servers: readonly KnownMcpServer[],
  { command, words, signal }: PromptCall,
  firstWait: number,
): Promise<CalledPrompt | { problem: string } | undefined> {
  const find = () => promptsOf(servers).find((one) => one.command === command);
  const named = servers.filter(({ name }) => command.startsWith(`${serverWord(name)}:`));
  if (!find()) {
    for (const { server, problem, isTrusted } of named) {
      if (problem !== undefined || !isTrusted()) continue;
      server.revive();
      server.start();
    }
    const waited = named.length > 0 ? named : servers;
    await inTime(Promise.all(waited.map(({ server }) => server.settled())), { ms: firstWait, signal });
  }
  const prompt = find();
  if (prompt) return { prompt, rendered: await renderedPrompt(servers, { command, words, signal }) };
  const problem = named.map(whyUnknown).find((words) => words !== undefined);
  return problem === undefined ? undefined : { problem };
}

function whyUnknown({ name, problem, server, isTrusted }: KnownMcpServer): string | undefined {
  if (problem !== undefined) return `The tool server ${name} is not started: ${problem}.`;
  if (!isTrusted())
    return `The tool server ${name} is not started until you agree to it: look with \`toolwright trust\`.`;
  if (server.state.type === "starting")
    return `The tool server ${name} is still starting, and its prompts are not known before: try again in a moment.`;
  return server.state.type === "ready" ? undefined : server.whyNot();
}
