/** Gateways and workers as processes over one new PostgreSQL database, with a scripted model for all of them. */

import { mkdir, readFile } from "node:fs/promises";
import { connect, type Entry } from "../../src/client.ts";
import type { Model } from "../../src/providers/provider.ts";
import { newDatabase, outsider } from "../../src/session/postgres/testing/postgres.ts";
import { type Home, newHome, startCommand } from "./command.ts";
import { lead, ollamaRoad, serve } from "./roads.ts";

type Client = ReturnType<typeof connect>;
type Process = ReturnType<typeof startCommand>;

/** Where a process tells its health and figures, and the token for them. */
type StatusPlace = { url: string; token: string };

type ScalePlace = {
  home: Home;
  database: string;
  /** Each has a state directory of its own. */
  gateway: (...flags: string[]) => Promise<Process & StatusPlace & { client: Client }>;
  worker: (...how: (string | Parameters<typeof startCommand>[2])[]) => Promise<Process>;
  /** A worker that reaches the database and the model by other addresses. */
  workerElsewhere: (how: { through: string[]; database: string; model: string }) => Promise<Process>;
  /** Where the model is served. */
  model: URL;
  /** The state directory of the gateway with this number, which may start later. */
  stateOf: (gateway: number) => Promise<string>;
  /** A worker that tells its health and figures. */
  toldWorker: (...flags: string[]) => Promise<Process & StatusPlace>;
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
  const stateOf: ScalePlace["stateOf"] = async (gateway) => {
    const state = `${home.root}/gateway-${gateway}`;
    await mkdir(state, { recursive: true, mode: 0o700 });
    return state;
  };
  return {
    home,
    database,
    async gateway(...flags) {
      const state = await stateOf((gateways += 1));
      const own = ["serve", "--engine", "dbos", "--port", "0", "--state-dir", state];
      const running = await toldBy(startCommand(home, [...own, ...common, ...flags]));
      return { ...running, client: connect(running) };
    },
    async worker(...how) {
      const flags = how.filter((one) => typeof one === "string");
      const options = how.find((one) => typeof one === "object");
      const running = startCommand(home, ["worker", ...common, ...flags], options);
      await running.until("}\n");
      return running;
    },
    async workerElsewhere({ through, database: address, model: at }) {
      const words = common.map((word) => (word === database ? address : word));
      const running = startCommand(home, ["worker", ...words], { through, env: { OLLAMA_HOST: at } });
      await running.until("}\n");
      return running;
    },
    model: new URL(served.url),
    stateOf,
    toldWorker: (...flags) => toldBy(startCommand(home, ["worker", "--port", "0", ...common, ...flags])),
    rows: async (query) => (await other.query<Record<string, unknown>>(query)).rows,
  };
}

/** Resolves when it has told where it is. */
async function toldBy(running: Process): Promise<Process & StatusPlace> {
  let text = "";
  running.child.stdout?.on("data", (piece: string) => (text += piece));
  await running.until("}\n");
  const { url, tokenFile }: { url: string; tokenFile: string } = JSON.parse(text);
  return { ...running, url, token: (await readFile(tokenFile, "utf8")).trim() };
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
