/**
 * Coding agents before the built `toolwright lm-server`, with a model behind it that has no tools: each has to finish an
 * edit in every dialect, clean and damaged. `node bench/lm-server-agents.ts FOLDER [word …]`: FOLDER is where npm has
 * installed the agents (without a folder the command for that is printed), words choose agents, dialects and damages.
 */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { isJsonObject, type Json, parseJson, parseObject } from "../src/base/json.ts";
import { printTable } from "./figures.ts";
import { type AgentPlace, type BenchAgent, benchAgents, benchPackages } from "./lm-server-agents-clients.ts";
import { type Damage, damages, formNames, writtenMove } from "./lm-server-agents-forms.ts";

const command = join(import.meta.dirname, "..", "dist", "bin.cjs");
const token = "a-token-for-the-bench";
const before = "zanzibar apples\nleeks\n";
const from = "zanzibar apples";
const to = 'pears "red"\n\tand \\n € &amp;';
const wanted = before.replace(from, () => to);
const lastWords = "The fruit is pears now, kumquat.";
const task = "Change zanzibar apples to pears in fruit.txt.";
const longestMs = 90_000;

type Trial = { agent: BenchAgent; form: string; damage: Damage };
type Outcome = Trial & { ok: boolean; mends: number; again: number; errors: number; leaks: number };

/** What the model says next follows from the conversation and the file alone. */
function speaker({ agent, form, damage }: Trial, file: string): (prompt: string) => string {
  const tries = new Map<string, number>();
  return (prompt) => {
    if (!agent.taught.test(prompt)) return "Fruit in a file";
    if (readFileSync(file, "utf8") !== before) return lastWords;
    const hasRead = /zanzibar apples(?:\n|\\n)\s*(?:\d+\D{0,3})?leeks/.test(prompt);
    const searches = agent.search !== undefined && !agent.search.until.test(prompt);
    const step = searches ? "search" : hasRead ? "change" : "read";
    const nth = (tries.get(step) ?? 0) + 1;
    tries.set(step, nth);
    if (nth > 8) return "I give up.";
    const edit = { file, from, to };
    const isRepeated = damage === "repeated" && step === "change" && nth === 1;
    const move = step === "change" && !isRepeated ? agent.change(edit) : agent.read(edit);
    return writtenMove(searches && agent.search ? agent.search.move : move, form, damage, nth);
  };
}

const textIn = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A server of Ollama's format whose model has no tools. */
async function openModel(speak: (prompt: string) => string) {
  const send = (reply: ServerResponse, body: object, status = 200): void => {
    reply.writeHead(status, { "content-type": "application/json" });
    reply.end(JSON.stringify(body));
  };
  const line = (content: string, end: object = { done: false }): string =>
    `${JSON.stringify({ model: "m:1b", message: { role: "assistant", content }, ...end })}\n`;
  const server = createServer((request, reply) => void answer(request, reply));
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    let text = "";
    for await (const piece of request) text += String(piece);
    if (request.url === "/api/version") return send(reply, { version: "0.12.0" });
    if (request.url === "/api/tags") return send(reply, { models: [{ name: "m:1b", model: "m:1b" }] });
    if (request.url === "/api/show")
      return send(reply, { capabilities: ["completion"], model_info: { "x.context_length": 131_072 } });
    const body = parseObject(text);
    const { tools, messages } = body.ok ? body.value : {};
    if (!Array.isArray(messages)) return send(reply, { error: "not found" }, 404);
    if (Array.isArray(tools) && tools.length > 0)
      return send(reply, { error: "m:1b does not support tools" }, 400);
    const said = speak(messages.map((one) => textIn(isJsonObject(one) ? one["content"] : one)).join("\n"));
    reply.writeHead(200, { "content-type": "application/x-ndjson" });
    for (const piece of said.match(/[^]{1,7}/gu) ?? []) reply.write(line(piece));
    reply.end(line("", { done: true, done_reason: "stop", prompt_eval_count: 900, eval_count: 30 }));
  };
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}

type Running = {
  said: () => string;
  errors: () => string;
  /** Until it has said this, or has ended. */
  until: (words: string) => Promise<void>;
  ended: Promise<number | null>;
  stop: () => void;
};

/** In a process group of its own, which is ended as a whole. */
function run(argv: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }): Running {
  const child = spawn(argv[0] ?? "", argv.slice(1), {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const heard = { out: "", err: "" };
  child.stdout.on("data", (piece: Buffer) => (heard.out += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (heard.err += piece.toString()));
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Nothing of it is left.
    }
  };
  const limit = setTimeout(() => end("SIGKILL"), longestMs);
  const ended = new Promise<number | null>((done) => {
    child.once("error", () => done(null));
    child.once("exit", (code) => setTimeout(done, 300, code)); // its last words may still be on their way
  }).finally(() => {
    clearTimeout(limit);
    end("SIGKILL");
  });
  const until = async (words: string): Promise<void> => {
    const { promise, resolve: done } = Promise.withResolvers<void>();
    child.stdout.on("data", () => heard.out.includes(words) && done());
    await Promise.race([promise, ended]);
  };
  return { said: () => heard.out, errors: () => heard.err, until, ended, stop: () => end("SIGINT") };
}

/** No program reaches anybody but this computer. */
const sealed: NodeJS.ProcessEnv = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  LANG: "C.UTF-8",
  TERM: "dumb",
  ...Object.fromEntries(
    ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, "http://127.0.0.1:9"]),
  ),
  no_proxy: "127.0.0.1,localhost",
  NO_PROXY: "127.0.0.1,localhost",
};

async function serve(trial: Trial, { home, model }: { home: string; model: string }) {
  const argv = [process.execPath, command, "lm-server", "--model", "ollama/m:1b", "--dialect", trial.form];
  const server = run([...argv, "--port", "0"], {
    cwd: home,
    env: { ...sealed, HOME: home, TOOLWRIGHT_LM_TOKEN: token, OLLAMA_HOST: model },
  });
  await server.until("Ctrl-C");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.said())?.[0];
  if (url === undefined) throw new Error(`The server did not start: ${server.errors()}`);
  return { server, url };
}

function write(home: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

const marks = /<\/?tool_call>|<function=|<arg_key>|<\|tool_call|<｜tool|\[TOOL_CALLS\]|<\|python_tag\|>/g;

async function outcomeOf(trial: Trial, packages: string): Promise<Outcome> {
  const { agent } = trial;
  const root = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const [home, workspace, own] = ["home", "home/project", "server"].map((name) => join(root, name));
  if (home === undefined || workspace === undefined || own === undefined) throw new Error("No place.");
  write(root, { "home/project/fruit.txt": before, "server/empty.txt": "" });
  const file = join(workspace, "fruit.txt");
  const model = await openModel(speaker(trial, file));
  const { server, url } = await serve(trial, { home: own, model: model.url });
  const place: AgentPlace = { packages, url, token, home, workspace };
  write(home, agent.files?.(place) ?? {});
  const program = agent.program === "node" ? process.execPath : join(packages, ".bin", agent.program);
  const options = {
    cwd: agent.fromPackages ? packages : workspace,
    env: { ...sealed, HOME: home, ...agent.env?.(place) },
  };
  if (agent.first) await run([program, ...agent.first(place)], options).ended;
  const asked = agent.fromPackages ? `${task} The directory is ${workspace}.` : task;
  const running = run([program, ...agent.args(asked, place)], options);
  const code = await running.ended;
  server.stop();
  await server.ended;
  model.server.closeAllConnections();
  model.server.close();
  const shown = running.said() + running.errors();
  const ok = code === 0 && readFileSync(file, "utf8") === wanted && shown.includes("kumquat");
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  return { ...trial, ok, ...figuresOf(server.errors()), leaks: new Set(shown.match(marks)).size };
}

/** From the server's log, which has a line for each request. */
function figuresOf(log: string): Pick<Outcome, "mends" | "again" | "errors"> {
  const told = log.split("\n").flatMap((line) => {
    const read = parseJson(line);
    return read.ok && isJsonObject(read.value) ? [read.value] : [];
  });
  return {
    mends: told.reduce((sum, { mended }) => sum + Number(mended ?? 0), 0),
    again: told.filter(({ askedAgain }) => askedAgain === true).length,
    errors: told.filter(({ status }) => Number(status) >= 400).length,
  };
}

const isChosen = ({ agent, form, damage }: Trial, words: readonly string[]): boolean => {
  const axes: readonly (readonly string[])[] = [benchAgents.map(({ name }) => name), formNames, damages];
  const own = [agent.name, form, damage];
  return axes.every((axis, at) => {
    const chosen = words.filter((word) => axis.includes(word));
    return chosen.length === 0 || chosen.includes(own[at] ?? "");
  });
};

function versionOf({ packageName }: BenchAgent, packages: string): string {
  const read = parseObject(readFileSync(join(packages, packageName, "package.json"), "utf8"));
  return read.ok ? textIn(read.value["version"]) : "?";
}

async function main([folder, ...words]: readonly string[]): Promise<void> {
  if (folder === undefined) {
    const names = benchAgents.map(({ packageName, version }) => `${packageName}@${version}`);
    console.log(`npm install --prefix FOLDER ${[...new Set([...names, ...benchPackages])].join(" ")}`);
    return;
  }
  const packages = join(resolve(folder), "node_modules");
  const trials = benchAgents.flatMap((agent) =>
    formNames.flatMap((form) => damages.map((damage): Trial => ({ agent, form, damage }))),
  );
  const all: Outcome[] = [];
  for (const trial of trials.filter((one) => isChosen(one, words))) {
    const outcome = await outcomeOf(trial, packages);
    if (!outcome.ok) console.error(`failed: ${trial.agent.name}, ${trial.form}, ${trial.damage}`);
    all.push(outcome);
  }
  const sum = (rows: readonly Outcome[], key: "mends" | "again" | "errors" | "leaks"): string =>
    String(rows.reduce((total, row) => total + row[key], 0));
  const rows = benchAgents.flatMap((agent) => {
    const own = all.filter((one) => one.agent === agent);
    if (own.length === 0) return [];
    const finished = `${own.filter(({ ok }) => ok).length}/${own.length}`;
    const sums = [sum(own, "mends"), sum(own, "again"), sum(own, "errors"), sum(own, "leaks")];
    return [[agent.name, versionOf(agent, packages), finished, ...sums]];
  });
  printTable([["agent", "version", "finished", "mended", "asked again", "errors", "leaks"], ...rows]);
}

await main(process.argv.slice(2));
