/**
 * The draft of the protocol's second version, as a client of our own agent for the stable one: each message is translated
 * on its way. For trying the draft out; it changes with every release of the SDK.
 */

import * as stable from "@agentclientprotocol/sdk";
import * as draft from "@agentclientprotocol/sdk/experimental/v2";
import { randomHex } from "../base/crypto.ts";
import { errorMessage } from "../base/expected.ts";
import type { AcpContext } from "./acp-context.ts";
import { agentFor } from "./agent.ts";
import { draftOption, draftPermission, draftSchema, draftUpdate } from "./draft-updates.ts";

const { agent: asked } = draft.methods;

export function connectDraftEditor(context: AcpContext, stream: draft.Stream): draft.AgentConnection {
  const app = draft.agent({ name: "toolwright" });
  let editor: draft.AgentContext | undefined;
  const inner = innerConnection(context, () => editor);
  app.onConnect(({ client, closed }) => {
    editor = client;
    void closed.then(() => inner.close());
  });
  app.onRequest(asked.initialize, ({ params }) => initialize(params, inner.agent, context));
  answerSessionRequests(app, inner.agent);
  app.onRequest(asked.session.prompt, ({ params: { sessionId, prompt } }) => {
    const tell = async (update: draft.SessionUpdate): Promise<void> =>
      editor?.notify("session/update", { sessionId, update });
    const given = { sessionId, prompt: prompt.flatMap(stableBlocks) };
    runPrompt(given, inner.agent, tell).catch(() => undefined); // an editor that has left is told nothing
    return { messageId: `prompt-${randomHex(8)}` };
  });
  return app.connect(stream);
}

async function initialize(
  { info, capabilities }: draft.InitializeRequest,
  agent: stable.ClientContext,
  { version }: AcpContext,
): Promise<draft.InitializeResponse> {
  const { agentInfo } = await agent.request("initialize", {
    protocolVersion: stable.PROTOCOL_VERSION,
    clientInfo: info,
    clientCapabilities: {
      elicitation: capabilities?.elicitation?.form ? { form: {} } : null,
      session: { notices: {}, compaction: {} },
    },
  });
  return {
    protocolVersion: draft.PROTOCOL_VERSION,
    info: agentInfo ?? { name: "toolwright", version },
    capabilities: {
      session: { prompt: { image: {}, embeddedContext: {} }, mcp: { stdio: {}, http: {} }, delete: {} },
    },
  };
}

function answerSessionRequests(app: draft.AgentApp, agent: stable.ClientContext): void {
  app.onRequest(asked.session.new, async ({ params: { cwd, mcpServers } }) => {
    const made = await agent.request("session/new", { cwd, mcpServers: stableServers(mcpServers) });
    return { sessionId: made.sessionId, configOptions: made.configOptions?.flatMap(draftOption) ?? [] };
  });
  app.onRequest(asked.session.resume, async ({ params: { sessionId, cwd, mcpServers, replayFrom } }) => {
    const given: stable.LoadSessionRequest = { sessionId, cwd, mcpServers: stableServers(mcpServers) };
    const opened = await (replayFrom?.type === "start"
      ? agent.request("session/load", given)
      : agent.request("session/resume", given));
    return { configOptions: opened.configOptions?.flatMap(draftOption) ?? [] };
  });
  app.onRequest(asked.session.setConfigOption, async ({ params: { sessionId, configId, value } }) => {
    const given: stable.SetSessionConfigOptionRequest = { sessionId, configId, value: String(value) };
    const set = await agent.request("session/set_config_option", given);
    return { configOptions: set.configOptions.flatMap(draftOption) };
  });
  app.onRequest(asked.session.list, ({ params }) => agent.request("session/list", params));
  app.onRequest(asked.session.delete, ({ params }) => agent.request("session/delete", params));
  app.onRequest(asked.session.close, ({ params }) => agent.request("session/close", params));
  app.onNotification(asked.session.cancel, ({ params }) => agent.notify("session/cancel", params));
}

/** The draft takes a prompt at once, and tells the end of its turn. */
async function runPrompt(
  params: stable.PromptRequest,
  agent: stable.ClientContext,
  tell: (update: draft.SessionUpdate) => Promise<void>,
): Promise<void> {
  await tell({ sessionUpdate: "state_update", state: "running" });
  await agent.request("session/prompt", params).then(
    ({ stopReason }) => tell(idleUpdate(stopReason)),
    (error: unknown) =>
      tell({
        sessionUpdate: "state_update",
        state: "idle",
        stopReason: "error",
        error: { code: -32603, message: errorMessage(error) },
      }),
  );
}

/** One literal each, as the SDK's types want it. */
function idleUpdate(reason: stable.StopReason): draft.SessionUpdate {
  const idle = { sessionUpdate: "state_update", state: "idle" } as const;
  switch (reason) {
    case "end_turn":
      return { ...idle, stopReason: "end_turn" };
    case "cancelled":
      return { ...idle, stopReason: "cancelled" };
    case "refusal":
      return { ...idle, stopReason: "refusal" };
    case "max_tokens":
      return { ...idle, stopReason: "max_tokens" };
    case "max_turn_requests":
      return { ...idle, stopReason: "max_turn_requests" };
    default:
      return reason satisfies never;
  }
}

/** What our own agent says goes on to the editor, translated. */
function innerConnection(
  context: AcpContext,
  editor: () => draft.AgentContext | undefined,
): stable.ClientConnection {
  let unnamed = 0;
  const app = stable.client({ name: "draft" });
  app.onNotification(stable.methods.client.session.update, async ({ params: { sessionId, update } }) => {
    const told = draftUpdate(update, `message-${(unnamed += 1)}`);
    if (told) await editor()?.notify("session/update", { sessionId, update: told });
  });
  app.onRequest(stable.methods.client.session.requestPermission, async ({ params, signal }) => {
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const reply = await editor()?.request("session/request_permission", draftPermission(params), options);
    const chosen: unknown = reply?.outcome.outcome === "selected" ? reply.outcome.optionId : undefined;
    return typeof chosen === "string"
      ? { outcome: { outcome: "selected", optionId: chosen } }
      : { outcome: { outcome: "cancelled" } };
  });
  app.onRequest(stable.methods.client.elicitation.create, async ({ params, signal }) => {
    if (!stable.CreateElicitationRequest.isForm(params) || !("sessionId" in params))
      return { action: "decline" };
    const { sessionId, message, requestedSchema } = params;
    const form = { mode: "form", sessionId, message, requestedSchema: draftSchema(requestedSchema) } as const;
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const reply = await editor()?.request("elicitation/create", form, options);
    return reply && draft.CreateElicitationResponse.isAccept(reply)
      ? { action: "accept", content: reply.content ?? {} }
      : { action: "decline" };
  });
  return app.connect(agentFor(context));
}

/** Of the draft's blocks those that both versions have. */
function stableBlocks(block: draft.ContentBlock): stable.ContentBlock[] {
  if (draft.ContentBlock.isText(block)) return [{ type: "text", text: block.text }];
  if (draft.ContentBlock.isImage(block))
    return [{ type: "image", data: block.data, mimeType: block.mimeType }];
  if (draft.ContentBlock.isResourceLink(block))
    return [{ type: "resource_link", name: block.name, uri: block.uri }];
  return draft.ContentBlock.isResource(block) ? [{ type: "resource", resource: block.resource }] : [];
}

function stableServers(servers: readonly draft.McpServer[] = []): stable.McpServer[] {
  return servers.flatMap((server): stable.McpServer[] => {
    if (draft.McpServer.isHttp(server))
      return [{ type: "http", name: server.name, url: server.url, headers: server.headers ?? [] }];
    if (!draft.McpServer.isStdio(server)) return [];
    const { name, command, args = [], env = [] } = server;
    return [{ name, command, args, env }];
  });
}
