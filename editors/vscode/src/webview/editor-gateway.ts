/** The page's gateway inside an editor: new sessions work in the editor's folder, and files are saved by the editor. */

import type { Client, Mode } from "../../../../src/client.ts";
import { gatewayOf, type PageGateway } from "../../../../src/page/app/gateway.ts";
import { withMentions } from "./mentions.ts";
import type { ViewConnection } from "./view-connection.ts";

type EditorGatewayContext = { connection: Pick<ViewConnection, "send" | "mentions">; workspace: string };

export function editorGateway(client: Client, { connection, workspace }: EditorGatewayContext): PageGateway {
  const gateway = gatewayOf(client);
  return {
    ...gateway,
    client: {
      ...gateway.client,
      commands: (of) => gateway.client.commands("session" in of ? of : { workspace, ...of }),
      async download(session) {
        connection.send({ type: "session-saved", session });
        return { ok: true, value: undefined };
      },
    },
    async about() {
      const about = await gateway.about();
      return about.ok ? { ok: true, value: { ...about.value, workspace } } : about;
    },
    async create(which) {
      return gateway.create({ workspace, mode: await modeForPeople(gateway), ...which });
    },
    askOf(session) {
      const ask = gateway.askOf(session);
      return async (command) => ask(await withMentions(command, connection.mentions));
    },
  };
}

/** Staged mode is for programs that cannot ask a person. */
async function modeForPeople(gateway: Pick<PageGateway, "about">): Promise<Mode> {
  const about = await gateway.about();
  return about.ok && about.value.mode !== "staged" ? about.value.mode : "ask";
}
