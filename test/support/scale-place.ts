/** Gateways and workers as processes over one new PostgreSQL database, with a scripted model for all of them. */

import { readFile } from "node:fs/promises";
import { connect, type Entry } from "../../src/client.ts";
import type { Model } from "../../src/providers/provider.ts";
import { newDatabase, outsider } from "../../src/session/postgres/testing/postgres.ts";
import { type Home, newHome, startCommand } from "./command.ts";
import { lead, ollamaRoad, serve } from "./roads.ts";

type Client = ReturnType<typeof connect>;
type Process = ReturnType<typeof startCommand>;

type ScalePlace = {
  home: Home;
  database: string;
  /** Each has a state directory of its own. */
  gateway: (...flags: string[]) => Promise<Process & { client: Client }>;
  worker: (...how: (string | Parameters<typeof startCommand>[2])[]) => Promise<Process>;
  /** Rows of the database's tables. */
  rows: (query: string) => Promise<Record<string, unknown>[]>;
};

/** `server`: the address of one of the test's own. */
export async function scalePlace(
  model: Model,
  { files = {}, server }: { files?: Record<string, string>; server?: string } = {},
): Promise<ScalePlace> {
  const home = await newHome(files);
  const database = await newDatabase(server);
  const served = await serve(model);
  const common = [...lead(home, ollamaRoad, served.url), "--database", database, "--output", "json"];
  const other = await outsider(database);
  let gateways = 0;
  return {
    home,
    database,
    async gateway(...flags) {
      const state = `${home.root}/gateway-${(gateways += 1)}`;
      const own = ["serve", "--engine", "dbos", "--port", "0", "--state-dir", state];
      const running = startCommand(home, [...own, ...common, ...flags]);
      let text = "";
      running.child.stdout?.on("data", (piece: string) => (text += piece));
      await running.until("}\n");
      const { url, tokenFile }: { url: string; tokenFile: string } = JSON.parse(text);
      const token = (await readFile(tokenFile, "utf8")).trim();
      return { ...running, client: connect({ url, token }) };
    },
    async worker(...how) {
      const flags = how.filter((one) => typeof one === "string");
      const options = how.find((one) => typeof one === "object");
      const running = startCommand(home, ["worker", ...common, ...flags], options);
      await running.until("}\n");
      return running;
    },
    rows: async (query) => (await other.query<Record<string, unknown>>(query)).rows,
  };
}

export const message = (text: string) => ({
  type: "send" as const,
  content: [{ type: "text" as const, text }],
});

/** Follows until this fact has come, and returns all facts on the way. */
export async function untilFact(
  client: Client,
  id: string,
  isIt: (entry: Entry) => boolean,
): Promise<Entry[]> {
  const facts: Entry[] = [];
  const stop = new AbortController();
  for await (const event of client.events(id, {}, { signal: stop.signal })) {
    if (!("seq" in event)) continue;
    facts.push(event);
    if (isIt(event)) break;
  }
  stop.abort();
  return facts;
}

export const isTurnEnd = ({ type }: Entry): boolean => type === "turn-end";
