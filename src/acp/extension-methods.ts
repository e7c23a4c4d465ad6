/** Our own methods beside the protocol's: what it has no words for yet. */

import { RequestError } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import { command } from "../remote/api.ts";
import type { AcpContext } from "./acp-context.ts";
import { valueOf } from "./request-errors.ts";

type ExtensionMethod = {
  says: string;
  params: z.ZodMiniType;
  /** Rejects with a RequestError. */
  answer: (context: AcpContext, params: unknown) => Promise<unknown>;
};

const session = { sessionId: z.string() };
const turn = z.optional(z.number());

/** By name; documented in docs/acp.md. */
export const extensionMethods: Readonly<Record<string, ExtensionMethod>> = {
  "_toolwright/command": method(
    "A command to a session, as a gateway takes it ([gateway-api.md](gateway-api.md#commands)): undo and keep by hunk, answers with all their choices, messages into a running turn. The reply is its outcome.",
    z.object({ ...session, command }),
    async ({ host }, given) => host.command(given.sessionId, given.command),
  ),
  "_toolwright/review": method(
    "What a request changed, file by file and hunk by hunk; of the newest one that changed something by default.",
    z.object({ ...session, turn }),
    async ({ host }, given) => valueOf(await host.review(given.sessionId, given.turn)),
  ),
  "_toolwright/context": method(
    "What fills the context of a session.",
    z.object(session),
    async ({ host }, given) => valueOf(await host.context(given.sessionId)),
  ),
  "_toolwright/fork": method(
    "A new session with everything before a request of this one; with all of it by default. Load it to go on there.",
    z.object({ ...session, beforeTurn: turn }),
    async ({ host }, given) => {
      const { id, workspace } = valueOf(await host.fork(given.sessionId, given.beforeTurn));
      return { sessionId: id, cwd: workspace };
    },
  ),
  "_toolwright/gateway": method(
    "Where a gateway over the same sessions listens on this machine, and its token: for clients that want every fact. It ends with the agent.",
    z.object({}),
    async (context) => valueOf(await context.gateway()),
  ),
};

function method<Schema extends z.ZodMiniType>(
  says: string,
  params: Schema,
  answer: (context: AcpContext, params: z.output<Schema>) => Promise<unknown>,
): ExtensionMethod {
  return {
    says,
    params,
    async answer(context, given) {
      const read = params.safeParse(given ?? {});
      if (!read.success) throw RequestError.invalidParams(z.treeifyError(read.error), "see docs/acp.md");
      return answer(context, read.data);
    },
  };
}
