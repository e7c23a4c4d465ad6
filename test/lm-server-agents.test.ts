/**
 * Third-party coding agents, each with the built `toolwright lm-server` in front of a model that has no tools and writes
 * its calls badly: a file is edited, and the agent notices none of that.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { isObject, parseObject, type JsonObject } from "../src/base/json.ts";
import type { ServedModel } from "../src/testing/scripted-server.ts";
import { agents, type Agent } from "./agents/agents.ts";
import { installedAgents } from "./agents/installed.ts";
import { runAgent } from "./agents/run.ts";
import { openTrap } from "./agents/trap.ts";
import { lastWords, writingModel, type Edit } from "./agents/writing-model.ts";
import { newHome, startCommand, type Home } from "./support/command.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";

const token = "the-server's-own-token";
const providerKey = "key-of-the-provider";

let packages: string;
beforeAll(async () => {
  packages = await installedAgents();
});

type Server = { url: string; stop(): Promise<JsonObject[]> };

/** Starts the command as a user does. `stop` returns its log, which has one line for each request. */
async function startServer(home: Home, model: ServedModel): Promise<Server> {
  const flags = lead(home, ollamaRoad, model.url, providerKey);
  const running = startCommand(home, ["lm-server", ...flags, "--port", "0"], {
    env: { TOOLWRIGHT_LM_TOKEN: token },
  });
  let said = "";
  running.child.stdout?.on("data", (text: string) => (said += text));
  await running.until("Ctrl-C");
  return {
    url: /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0] ?? "",
    async stop() {
      running.child.kill("SIGINT");
      const { stderr } = await running.ended;
      return stderr.split("\n").flatMap((line) => {
        const read = parseObject(line);
        return read.ok ? [read.value] : [];
      });
    },
  };
}

/** The requests in which the model was taught tools, as texts. */
const asksWithTools = ({ requests }: ServedModel): string[] =>
  requests
    .filter(({ path, body }) => path === "/api/chat" && isObject(body))
    .map(({ body }) => JSON.stringify(body))
    .filter((text) => text.includes("<tools>"));

async function drive(agent: Agent) {
  const home = await newHome({ "fruit.txt": "apples\n", "more.txt": "leeks\n" });
  const file = join(home.workspace, "fruit.txt");
  const edit: Edit = { path: file, beside: join(home.workspace, "more.txt"), from: "apples", to: "pears" };
  const model = await serve(writingModel(edit), { capabilities: ["completion"] });
  const server = await startServer(await newHome(), model);
  const trap = await openTrap();
  const place = { packages, home: home.root, url: server.url, token };
  const task = "Change apples to pears in fruit.txt.";
  const ended = await runAgent(agent, task, { home, place, env: trap.env });
  return { ended, model, trap, file: await readFile(file, "utf8"), log: await server.stop() };
}

test.each(agents.map((agent) => [agent.name, agent.speaks, agent] as const))(
  "D5, D7: %s, over %s, edits a file with a model that has no tools and writes its calls badly",
  async (_name, _speaks, agent) => {
    const { ended, model, trap, file, log } = await drive(agent);
    onTestFinished(({ task }) => {
      if (task.result?.state === "fail") process.stderr.write(`${ended.stdout}\n${ended.stderr}\n`);
    });
    expect({ code: ended.code, file }).toEqual({ code: 0, file: "pears\n" });
    expect(ended.stdout).toContain(lastWords);
    expect(ended.stdout + ended.stderr).not.toMatch(/tool_call|think>/u);

    const worked = log.filter(({ path }) => typeof path === "string" && agent.path.test(path));
    const answers = { status: 200, asked: agent.model, model: "ollama/qwen:1b", streamed: true };
    expect(worked.filter(({ calls }) => calls !== undefined)).toMatchObject([
      { ...answers, calls: 2, mended: 1, repairs: ["comma"] },
      { ...answers, calls: 1, askedAgain: true },
    ]);
    expect(worked.every(({ status }) => status === 200)).toBe(true);

    const asks = asksWithTools(model);
    const wrong = asks.map((text) => text.includes('error=\\"true\\"'));
    expect(wrong).toEqual([false, false, true, false]);
    expect(asks.at(-1)).toMatch(/apples.*leeks/u);
    const keys = new Set(model.requests.map(({ headers }) => headers.authorization));
    expect([...keys]).toEqual([`Bearer ${providerKey}`]);
    expect(trap.asked.filter((asked) => !agent.asksAnyway?.test(asked))).toEqual([]);
  },
);

test("docs/lm-server-clients.md has the versions and settings tested here, word for word", async () => {
  const page = await readFile(join(import.meta.dirname, "..", "docs", "lm-server-clients.md"), "utf8");
  const manifest = await readFile(join(import.meta.dirname, "agents", "package.json"), "utf8");
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(manifest);
  const place = { packages: "", home: "~", url: "http://127.0.0.1:4143", token: "KEY" };
  const told = agents.flatMap((agent) => [
    `| ${agent.name} | \`${agent.packageName}\` | ${dependencies[agent.packageName]} | ${agent.speaks} |`,
    ...Object.entries(agent.env(place)).map(([name, value]) => `\nexport ${name}=${value}\n`),
    ...Object.entries(agent.files?.(place) ?? {}).flatMap(([path, text]) => [
      `\nIn \`~/${path}\`:\n`,
      `\n${text.trim()}\n\`\`\`\n`,
    ]),
    ` ${agent.args('"Change apples to pears in fruit.txt."', place).join(" ")}\n`,
  ]);
  expect(told.filter((text) => !page.includes(text))).toEqual([]);
});
