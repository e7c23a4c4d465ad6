/** A whole gateway for a test: a real port on loopback, a real host and store, and the model given by the test. */

import { join } from "node:path";
import { WebSocket } from "ws";
import { Devices } from "../gateway/devices.ts";
import { type Gateway, type GatewaySetup, startGateway } from "../gateway/gateway.ts";
import type { LoginSetup } from "../gateway/login.ts";
import { People } from "../hosting/people/people.ts";
import type { Model } from "../providers/provider.ts";
import { testHost, type TestHost, type TestHostOptions } from "./host.ts";

export type TestGateway = Gateway & {
  test: TestHost;
  token: string;
  logged: string[];
  /** Sends a request with the token, JSON both ways. */
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
  /** Sends a request unchanged, without adding the token. */
  raw: (path: string, init?: RequestInit) => Promise<Response>;
  newSession: () => Promise<string>;
  socket: (options?: { token?: string | null; path?: string; headers?: Record<string, string> }) => WebSocket;
};

export type TestGatewayOptions = TestHostOptions & {
  setup?: Partial<GatewaySetup>;
  port?: number;
  login?: LoginSetup;
};

export const testToken = "5".repeat(64);

export async function testGateway(model: Model, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const test = await testHost(model, options);
  const logged: string[] = [];
  const started = await startGateway({
    host: test.host,
    team: { people: new People(test.store.team), lookMs: 20, login: options.login },
    token: testToken,
    devices: await Devices.open({ secret: testToken, path: join(test.root, "state/gateway-devices.json") }),
    listen: { host: "127.0.0.1", port: options.port ?? 0 },
    version: "0.0.0",
    log: (line) => void logged.push(line),
    ...options.setup,
  });
  if (!started.ok) throw new Error(started.problem);
  const gateway = started.value;
  const raw: TestGateway["raw"] = (path, init) => fetch(gateway.url + path, init);
  const ask: TestGateway["ask"] = async (method, path, body) => {
    const response = await raw(path, {
      method,
      headers: {
        authorization: `Bearer ${testToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : parsedOr(text) };
  };
  return {
    ...gateway,
    test,
    token: testToken,
    logged,
    raw,
    ask,
    newSession: async () => idOf((await ask("POST", "/sessions", {})).body),
    socket: ({ token = testToken, path = "/socket", headers = {} } = {}) =>
      new WebSocket(
        gateway.url.replace("http", "ws") + path,
        token === null ? [] : ["toolwright", `token.${token}`],
        { headers },
      ),
    async close() {
      await gateway.close();
      await test.close();
    },
  };
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function idOf(body: unknown): string {
  if (typeof body === "object" && body !== null && "id" in body && typeof body.id === "string")
    return body.id;
  throw new Error(`No session was made: ${JSON.stringify(body)}`);
}
