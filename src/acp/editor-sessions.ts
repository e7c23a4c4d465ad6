/** The sessions that one editor has open, and what it asks of them. */

import { isAbsolute } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import type { McpServer } from "@agentclientprotocol/sdk";
import { realWorkspace } from "../base/paths.ts";
import type { HostedRow } from "../hosting/session-host.ts";
import type { McpServers } from "../runtime/addons/lent-servers.ts";
import type { AcpContext } from "./acp-context.ts";
import { AttachedSession } from "./attached-session.ts";
import { acpBounds } from "./bounds.ts";
import { type AcpClient, clientOf } from "./client.ts";
import { configOptions, modeCommand, modeState, optionCommand } from "./config-options.ts";
import { extensionMethods } from "./extension-methods.ts";
import { messageFrom } from "./prompt-content.ts";
import { accept, answering, failure, invalid, valueOf } from "./request-errors.ts";
import { availableCommands, runOwnCommand } from "./slash-commands.ts";

/** Sessions in one page of a list. */
const listedSessions = 50;

/** Every method rejects with a RequestError. */
export class EditorSessions {
  client: AcpClient | undefined;
  readonly #context: AcpContext;
  readonly #open = new Map<string, AttachedSession>();

  constructor(context: AcpContext) {
    this.#context = context;
  }

  initialize({ clientCapabilities, clientInfo }: acp.InitializeRequest): acp.InitializeResponse {
    if (this.client) this.client = clientOf(this.client.context, clientCapabilities, clientInfo);
    return {
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: "toolwright", title: "Toolwright", version: this.#context.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
        _meta: { toolwright: { methods: Object.keys(extensionMethods) } },
      },
      authMethods: [],
    };
  }

  async create({ cwd, mcpServers }: acp.NewSessionRequest): Promise<acp.NewSessionResponse> {
    return answering(async () => {
      this.#requireSpace();
      const servers = lentServersFrom(mcpServers);
      const made = valueOf(await this.#context.host.create({ workspace: await workspaceOf(cwd), servers }));
      const session = await this.#attach(made, false);
      return { sessionId: made.id, ...stateOf(session) };
    });
  }

  async open(
    { sessionId, cwd, mcpServers }: acp.LoadSessionRequest | acp.ResumeSessionRequest,
    { replay }: { replay: boolean },
  ): Promise<acp.LoadSessionResponse> {
    return answering(async () => {
      const row = await this.#context.host.row(sessionId);
      if (!row) throw acp.RequestError.sessionNotFound(sessionId);
      if ((await workspaceOf(cwd)) !== row.workspace)
        throw invalid(`Session ${sessionId} is of the workspace ${row.workspace}: open it there.`);
      await this.#leave(sessionId);
      this.#requireSpace();
      await this.#context.host.lend(sessionId, lentServersFrom(mcpServers));
      return stateOf(await this.#attach(row, replay));
    });
  }

  async list({ cwd, cursor }: acp.ListSessionsRequest): Promise<acp.ListSessionsResponse> {
    return answering(async () => {
      const where = typeof cwd === "string" ? await workspaceOf(cwd) : undefined;
      const page = await this.#context.host.rows({
        limit: listedSessions,
        ...(typeof cursor === "string" ? { after: cursor } : {}),
      });
      return {
        sessions: page.sessions
          .filter(({ workspace }) => (where ?? workspace) === workspace)
          .map(sessionInfo),
        nextCursor: page.more ? (page.sessions.at(-1)?.id ?? null) : null,
      };
    });
  }

  async remove(id: string): Promise<acp.DeleteSessionResponse> {
    return answering(async () => {
      await this.#leave(id);
      valueOf(await this.#context.host.remove(id));
      return {};
    });
  }

  async close(id: string): Promise<acp.CloseSessionResponse> {
    await this.#session(id).cancel();
    await this.#leave(id);
    return {};
  }

  async prompt({ sessionId, prompt }: acp.PromptRequest, signal: AbortSignal): Promise<acp.PromptResponse> {
    return answering(async () => {
      const session = this.#session(sessionId);
      const content = valueOf(messageFrom(prompt, session.workspace));
      const said = await runOwnCommand(content, { host: this.#context.host, session: sessionId });
      if (said === undefined) return { stopReason: await session.prompt(content, signal) };
      if (said !== "") await session.say(said);
      return { stopReason: "end_turn" };
    });
  }

  async cancel(id: string): Promise<void> {
    await this.#open.get(id)?.cancel();
  }

  async setMode(id: string, mode: string): Promise<acp.SetSessionModeResponse> {
    accept(await this.#session(id).command(modeCommand(mode, this.#by)));
    return {};
  }

  async setOption(given: acp.SetSessionConfigOptionRequest): Promise<acp.SetSessionConfigOptionResponse> {
    return answering(async () => {
      const session = this.#session(given.sessionId);
      const { configId, value } = given;
      accept(await session.command(optionCommand(configId, value, this.#by)));
      const chosen = { ...session.choices, [configId]: value };
      return { configOptions: configOptions(chosen, session.models) };
    });
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((id) => this.#leave(id)));
  }

  get #by(): string {
    return this.client?.by ?? "an editor";
  }

  #session(id: string): AttachedSession {
    const session = this.#open.get(id);
    if (!session) throw acp.RequestError.sessionNotFound(id);
    return session;
  }

  #requireSpace(): void {
    const { most } = acpBounds.sessions;
    if (this.#open.size >= most) throw failure(`${most} sessions are open: close one of them first.`);
  }

  async #attach({ id, workspace }: HostedRow, replay: boolean): Promise<AttachedSession> {
    if (!this.client) throw acp.RequestError.invalidRequest(undefined, "There is no client.");
    const session = new AttachedSession({ id, workspace, context: this.#context, client: this.client });
    this.#open.set(id, session);
    try {
      await session.open({ replay });
    } catch (error) {
      await this.#leave(id);
      throw error;
    }
    void this.#tellCommands(session);
    return session;
  }

  /** After the reply: an editor may not know the session before. */
  async #tellCommands(session: AttachedSession): Promise<void> {
    const commands = availableCommands({ host: this.#context.host, session: session.id });
    const update = { sessionUpdate: "available_commands_update" as const };
    await commands
      .then((availableCommands) => session.send({ ...update, availableCommands }))
      .catch(() => undefined); // a lost connection, or a session that is gone: both are told elsewhere
  }

  async #leave(id: string): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.close();
  }
}

const stateOf = (session: AttachedSession) => ({
  modes: modeState(session.choices),
  configOptions: configOptions(session.choices, session.models),
});

const sessionInfo = ({ id, workspace, title, updatedAt }: HostedRow): acp.SessionInfo => ({
  sessionId: id,
  cwd: workspace,
  title,
  updatedAt: new Date(updatedAt).toISOString(),
});

/** With links resolved, as the host names it. */
async function workspaceOf(cwd: string): Promise<string> {
  if (!isAbsolute(cwd)) throw invalid(`cwd is no absolute path: ${JSON.stringify(cwd)}.`);
  return realWorkspace(cwd);
}

/** Their names begin with `editor-`, so that none takes the place of a configured one. */
const lentServersFrom = (servers: readonly McpServer[] = []): McpServers =>
  Object.fromEntries(servers.map((server) => [nameOf(server.name), settingsOf(server)]));

const nameOf = (name: string): string => `editor-${name.replaceAll(/[^\w.-]+/gu, "_")}`.slice(0, 64);

function settingsOf(server: McpServer): McpServers[string] {
  if ("type" in server) return { type: server.type, url: server.url, headers: recordOf(server.headers) };
  return { command: server.command, args: server.args, env: recordOf(server.env) };
}

const recordOf = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
