/** For tests: the whole command `toolwright mcp`, with a given model and the official client at the other end. */

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  type ElicitRequest,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { type Expected, refuse } from "../../../base/expected.ts";
import { type Config, loadConfig } from "../../../configuration/config.ts";
import { parseArguments } from "../../../configuration/options/arguments.ts";
import { lineTransport } from "../../../mcp-server/lines.ts";
import type { Model } from "../../../runtime/runtime.ts";
import { testTerminal, type TestTerminal } from "../../../tui/testing/terminal.ts";
import { runMcpServer } from "../mcp-server.ts";

type TestPlaceOptions = {
  files?: Record<string, string>;
  /** Command-line flags. */
  flags?: readonly string[];
  /** In seconds. */
  answerWithin?: number;
};

type TestClientOptions = {
  /** "auto" uses the newest version of the protocol, "legacy" the earlier ones. */
  mode?: "auto" | "legacy";
  /** Answers elicitation requests; without it the client declares no such capability. */
  answer?: (asked: ElicitRequest["params"]) => ElicitationReply | Promise<ElicitationReply>;
};

type ElicitationReply = Record<string, string> | "decline";

export type TestPlace = {
  terminal: TestTerminal;
  /** The server's standard output. */
  output: PassThrough;
  workspace: string;
  /** Resolves to the exit code. */
  running: Promise<number>;
  read(path: string): Promise<string>;
  /** Connects over standard input and output, so only one can exist. */
  client(options?: TestClientOptions): Promise<Client>;
  /** Connects over HTTP to a server that was started with --port. */
  httpClient(options?: TestClientOptions): Promise<Client>;
  url(): Promise<string>;
  token(): Promise<string>;
  close(): Promise<void>;
};

export async function testPlace(model: Model, options: TestPlaceOptions = {}): Promise<TestPlace> {
  const { root, workspace } = await madePlace(options.files ?? {});
  const terminal = testTerminal({
    piped: true,
    env: { HOME: root, PATH: process.env["PATH"] ?? "" },
    cwd: root,
  });
  const output = new PassThrough();
  const { answerWithin, flags = [] } = options;
  const within = answerWithin === undefined ? [] : ["--answer-within", String(answerWithin)];
  const settingsFor = (place: string) => settingsIn(root, place, [...flags, ...within]);
  const settings = expectValue(await settingsFor(workspace));
  const running = runMcpServer(
    { terminal, settings, model },
    { flags: answerWithin === undefined ? {} : { answerWithin }, settingsFor, output },
  );
  const place = { root, workspace, terminal, output, running };
  return { ...place, ...reaching(place, settings.port !== undefined) };
}

async function madePlace(files: Record<string, string>): Promise<{ root: string; workspace: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-mcp-")));
  const workspace = join(root, "work");
  await mkdir(workspace);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  return { root, workspace };
}

type TestPlaceParts = Pick<TestPlace, "terminal" | "output" | "workspace" | "running"> & { root: string };
type Reaching = Pick<TestPlace, "url" | "token" | "read" | "client" | "httpClient" | "close">;

function reaching(
  { root, workspace, terminal, output, running }: TestPlaceParts,
  isOverHttp: boolean,
): Reaching {
  const clients: Client[] = [];
  const connect = async (transport: Transport, how: TestClientOptions): Promise<Client> => {
    const client = testClient(how);
    clients.push(client);
    await client.connect(transport);
    return client;
  };
  const url = async (): Promise<string> => {
    for (;;) {
      const found = /http:\S+\/mcp/u.exec(terminal.reported())?.[0];
      if (found !== undefined) return found;
      await new Promise(setImmediate);
    }
  };
  const token = async () => (await readFile(join(root, "state", "mcp-token"), "utf8")).trim();
  return {
    url,
    token,
    read: (path) => readFile(join(workspace, path), "utf8"),
    client: (how = {}) => connect(lineTransport(output, terminal.input), how),
    async httpClient(how = {}) {
      const address = new URL(await url());
      const headers = { authorization: `Bearer ${await token()}` };
      return connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }), how);
    },
    async close() {
      await Promise.allSettled(clients.map((client) => client.close()));
      terminal.input.end();
      if (isOverHttp) await url();
      terminal.raise("SIGTERM");
      await running;
      await rm(root, { recursive: true, force: true });
    },
  };
}

function testClient({ mode = "auto", answer }: TestClientOptions): Client {
  const options: ClientOptions = {
    versionNegotiation: { mode },
    capabilities: answer ? { elicitation: { form: {} } } : {},
  };
  const client = new Client({ name: "test-client", version: "1.0.0" }, options);
  if (answer)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const content = await answer(params);
      return content === "decline" ? { action: "decline" } : { action: "accept", content };
    });
  return client;
}

async function settingsIn(root: string, place: string, flags: readonly string[]): Promise<Expected<Config>> {
  const given = ["mcp", "--cwd", place, "--state-dir", join(root, "state"), ...flags];
  const parsed = parseArguments(given, {});
  return parsed.ok
    ? loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root })
    : refuse(parsed.problem);
}

function expectValue<T>(parsed: Expected<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
