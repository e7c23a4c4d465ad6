/** A gateway with two tenants and their people, for tests. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { roles } from "../hosting/people/may.ts";
import { People } from "../hosting/people/people.ts";
import type { Right } from "../protocol/rights.ts";
import type { Model } from "../providers/provider.ts";
import { testGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";

/** A request with a person's token; the reply as it came. */
type PersonAsks = (method: string, path: string, body?: unknown) => Promise<{ status: number; text: string }>;

export type TestTeam = {
  gateway: TestGateway;
  people: People;
  /** A token of the person; of a browser that has logged in by default. */
  token: (person: string, most?: Right) => Promise<string>;
  as: (person: string, most?: Right) => Promise<PersonAsks>;
  /** A new session of the person. */
  session: (person: string) => Promise<string>;
  workspaceOf: (tenant: string) => string;
};

const tenants = ["north", "south"] as const;

/** In each tenant there is somebody of each role: "owner@north", and "member2@north" as well. */
export async function testTeam(model: Model, options: TestGatewayOptions = {}): Promise<TestTeam> {
  const gateway = await testGateway(model, options);
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const people = new People(gateway.test.store.team);
  const workspaceOf = (tenant: string): string => join(gateway.test.root, tenant);
  for (const tenant of tenants) {
    await mkdir(workspaceOf(tenant));
    requireDone(await people.putTenant(tenant, workspaceOf(tenant)));
    for (const role of roles) requireDone(await people.putPerson(`${role}@${tenant}`, { tenant, role }));
    requireDone(await people.putPerson(`member2@${tenant}`, { tenant, role: "member" }));
  }
  const token: TestTeam["token"] = async (person, most = "manage") =>
    requireDone(await people.newToken({ person, title: "test", most, days: 1 }));
  const as: TestTeam["as"] = async (person, most) => asking(gateway, await token(person, most));
  const session: TestTeam["session"] = async (person) => {
    const { status, text } = await (await as(person))("POST", "/sessions", {});
    if (status !== 201) throw new Error(text);
    const made: { id: string } = JSON.parse(text);
    return made.id;
  };
  return { gateway, people, token, as, session, workspaceOf };
}

function requireDone<T>(done: { ok: true; value: T } | { ok: false; problem: string }): T {
  if (!done.ok) throw new Error(done.problem);
  return done.value;
}

function asking({ raw }: TestGateway, token: string): PersonAsks {
  return async (method, path, body) => {
    const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
    const reply = await raw(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === "POST" ? { "content-type": type } : {}),
      },
      ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body ?? {}) } : {}),
    });
    return { status: reply.status, text: await textOf(reply) };
  };
}

/** Of a reply that never ends: its first piece. */
async function textOf(reply: Response): Promise<string> {
  if (reply.headers.get("content-type") !== "text/event-stream") return reply.text();
  const reader = reply.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}
