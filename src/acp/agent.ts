/** The Agent Client Protocol's agent: what an editor can ask, over the sessions of a host. */

import * as acp from "@agentclientprotocol/sdk";
import type { AcpContext } from "./acp-context.ts";
import { clientOf } from "./client.ts";
import { EditorSessions } from "./editor-sessions.ts";
import { extensionMethods } from "./extension-methods.ts";
import { answering } from "./request-errors.ts";

const { agent: asked } = acp.methods;

/** Serves one editor until it disconnects; its sessions go on. */
export const connectEditor = (context: AcpContext, stream: acp.Stream): acp.AgentConnection =>
  agentFor(context).connect(stream);

/** For one connection. */
export function agentFor(context: AcpContext): acp.AgentApp {
  const editor = new EditorSessions(context);
  const app = acp.agent({ name: "toolwright" });
  app.onConnect(({ client, closed }) => {
    editor.client = clientOf(client);
    void closed.then(() => editor.closeAll());
  });
  app.onRequest(asked.initialize, ({ params }) => editor.initialize(params));
  app.onRequest(asked.session.new, ({ params }) => editor.create(params));
  app.onRequest(asked.session.load, ({ params }) => editor.open(params, { replay: true }));
  app.onRequest(asked.session.resume, ({ params }) => editor.open(params, { replay: false }));
  app.onRequest(asked.session.list, ({ params }) => editor.list(params));
  app.onRequest(asked.session.delete, ({ params }) => editor.remove(params.sessionId));
  app.onRequest(asked.session.close, ({ params }) => editor.close(params.sessionId));
  app.onRequest(asked.session.prompt, ({ params, signal }) => editor.prompt(params, signal));
  app.onNotification(asked.session.cancel, ({ params }) => editor.cancel(params.sessionId));
  app.onRequest(asked.session.setMode, ({ params }) => editor.setMode(params.sessionId, params.modeId));
  app.onRequest(asked.session.setConfigOption, ({ params }) => editor.setOption(params));
  for (const [name, { answer }] of Object.entries(extensionMethods))
    app.onRequest(name, asSent, ({ params }) => answering(() => answer(context, params)));
  return app;
}

const asSent = (params: unknown): unknown => params;
