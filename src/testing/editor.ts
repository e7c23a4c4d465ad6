/** An editor for tests: the official client, and every message of both directions checked against the protocol's schema. */

import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as acp from "@agentclientprotocol/sdk";
import { Validator } from "@cfworker/json-schema";
import { onTestFinished } from "vitest";
import type { AcpContext } from "../acp/acp-context.ts";
import { connectEditor } from "../acp/agent.ts";
import { refuse } from "../base/expected.ts";
import { isObject } from "../base/json.ts";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testHost, type TestHost, type TestHostOptions } from "./host.ts";

type EditorOptions = {
  capabilities?: acp.ClientCapabilities;
  /** Chooses an option by its id; by default the test must not be asked. */
  permit?: (request: acp.RequestPermissionRequest, signal: AbortSignal) => string | Promise<string>;
  /** Unsaved texts, by absolute path. */
  buffers?: Map<string, string>;
  /** Fills in a form; undefined declines. */
  fillIn?: (request: acp.CreateElicitationRequest) => Record<string, string> | undefined;
  /** Changes what it sends, on its way. */
  garble?: (message: acp.AnyMessage) => acp.AnyMessage;
};

type TestEditor = {
  agent: acp.ClientContext;
  /** All updates so far, in order. */
  updates: acp.SessionUpdate[];
  initialized: acp.InitializeResponse;
  /** What the agent said, joined. */
  said(): string;
  disconnect(): Promise<void>;
};

type EditorStage = TestHost & {
  context: AcpContext;
  connect(options?: EditorOptions): Promise<TestEditor>;
};

/** A host with a scripted model, to which editors connect. */
export async function editorStage(script: ModelScript, options: TestHostOptions = {}): Promise<EditorStage> {
  const made = await testHost(scriptedModel(script), { mode: "ask", ...options });
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  const context: AcpContext = {
    host: made.host,
    version: "0.0.0",
    models: async () => ({
      providers: [{ provider: "scripted", models: ["scripted"] }],
      usual: "scripted/scripted",
    }),
    gateway: async () => refuse("No gateway here."),
    log: () => undefined,
  };
  return { ...made, context, connect: (editor) => connectTo(context, editor) };
}

async function connectTo(context: AcpContext, options: EditorOptions = {}): Promise<TestEditor> {
  const { permit, fillIn, garble } = options;
  const updates: acp.SessionUpdate[] = [];
  const { editor, agent, hangUp } = checkedPair("v1", garble);
  const served = connectEditor(context, agent);
  const app = acp.client({ name: "test-editor" });
  app.onNotification(acp.methods.client.session.update, ({ params }) => void updates.push(params.update));
  app.onRequest(acp.methods.client.session.requestPermission, async ({ params, signal }) => {
    if (!permit) throw new Error("Nobody expected to be asked.");
    return { outcome: { outcome: "selected", optionId: await permit(params, signal) } };
  });
  app.onRequest(acp.methods.client.elicitation.create, ({ params }) => {
    const content = fillIn?.(params);
    return content ? { action: "accept", content } : { action: "decline" };
  });
  app.onRequest(acp.methods.client.fs.readTextFile, async ({ params: { path } }) => ({
    content: options.buffers?.get(path) ?? (await readFile(path, "utf8")),
  }));
  app.onRequest(acp.methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
    options.buffers?.delete(path);
    await writeFile(path, content);
  });
  const connection = app.connect(editor);
  const disconnect = async (): Promise<void> => {
    connection.close();
    hangUp();
    await served.closed;
  };
  onTestFinished(disconnect);
  const initialized = await connection.agent.request("initialize", {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: {
      ...options.capabilities,
      ...(options.buffers ? { fs: { readTextFile: true, writeTextFile: true } } : {}),
    },
    clientInfo: { name: "test-editor", version: "0.0.0" },
  });
  const said = (): string =>
    updates
      .flatMap((update) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? [update.content.text]
          : [],
      )
      .join("");
  return { agent: connection.agent, updates, initialized, said, disconnect };
}

/** A new session of the stage's workspace. */
export async function newSession(
  { agent }: TestEditor,
  { workspace }: { workspace: string },
  mcpServers: acp.McpServer[] = [],
): Promise<string> {
  return (await agent.request("session/new", { cwd: workspace, mcpServers })).sessionId;
}

export const prompt = ({ agent }: TestEditor, sessionId: string, text: string): Promise<acp.PromptResponse> =>
  agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

/** Two ends of one connection; a message that breaks the schema fails the write that sends it. */
export function checkedPair(
  version: "v1" | "v2" = "v1",
  garble?: EditorOptions["garble"],
): {
  editor: acp.Stream;
  agent: acp.Stream;
  hangUp: () => void;
} {
  const check = messageChecker(version);
  const ends: TransformStreamDefaultController<acp.AnyMessage>[] = [];
  const pipe = (from: MessageSender) =>
    new TransformStream<acp.AnyMessage, acp.AnyMessage>({
      start: (controller) => void ends.push(controller),
      transform(message, controller) {
        const onWire: acp.AnyMessage = JSON.parse(JSON.stringify(message)); // as it would go through a pipe
        check(onWire, from);
        controller.enqueue(from === "client" && garble ? garble(onWire) : onWire);
      },
    });
  const [toAgent, toEditor] = [pipe("client"), pipe("agent")];
  return {
    editor: { writable: toAgent.writable, readable: toEditor.readable },
    agent: { writable: toEditor.writable, readable: toAgent.readable },
    hangUp: () => {
      for (const end of ends) end.terminate();
    },
  };
}

type MessageSender = "client" | "agent";

/**
 * Checks messages of one connection against the schema of the protocol's version. Ids of the two directions may be the
 * same, so each keeps its own. Extension methods have no schema.
 */
export function messageChecker(version: "v1" | "v2" = "v1"): (message: unknown, from: MessageSender) => void {
  const methods = { client: new Map<unknown, string>(), agent: new Map<unknown, string>() };
  const validate = validatorFor(version);
  return (message, from) => {
    if (!isObject(message)) throw new Error(`No message: ${JSON.stringify(message)}`);
    const { id, method, params, result } = message;
    if (typeof method === "string") {
      if (id !== undefined) methods[from].set(id, method);
      validate(method, id === undefined ? "Notification" : "Request", params);
    } else if (result !== undefined) {
      const asked = methods[from === "client" ? "agent" : "client"].get(id);
      if (asked === undefined) throw new Error(`A reply to nothing: ${JSON.stringify(message)}`);
      validate(asked, "Response", result);
    }
  };
}

type MessageKind = "Request" | "Response" | "Notification";

function validatorFor(version: "v1" | "v2"): (method: string, kind: MessageKind, value: unknown) => void {
  const file = fileURLToPath(import.meta.resolve(`@agentclientprotocol/sdk/schema/${version}/schema.json`));
  const schema: unknown = JSON.parse(readFileSync(file, "utf8"));
  const definitions = isObject(schema) && isObject(schema["$defs"]) ? schema["$defs"] : {};
  const validators = new Map<string, Validator>();
  const isFor = (name: string, method: string, kind: string): boolean => {
    const definition = definitions[name];
    return name.endsWith(kind) && isObject(definition) && definition["x-method"] === method;
  };
  return (method, kind, value) => {
    if (method.startsWith("_")) return;
    const name = Object.keys(definitions).find((one) => isFor(one, method, kind));
    if (name === undefined) throw new Error(`The protocol has no ${kind.toLowerCase()} ${method}.`);
    const validator =
      validators.get(name) ??
      new Validator({ $ref: `#/$defs/${name}`, $defs: definitions }, "2020-12", false);
    validators.set(name, validator);
    const { valid, errors } = validator.validate(value);
    if (!valid)
      throw new Error(`${name} is not valid: ${JSON.stringify({ errors: errors.slice(-3), value })}`);
  };
}
