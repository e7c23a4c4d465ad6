import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator, type Schema } from "@cfworker/json-schema";
import { Validator as OpenApiValidator } from "@seriousme/openapi-schema-validator";
import { OpenAPIClientAxios, type AxiosResponse, type Document } from "openapi-client-axios";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { type RouteName, routes } from "../src/remote/api.ts";
import { operationId } from "../src/remote/openapi.ts";
import { type GatewayPlace, gatewayPlace, token } from "./support/gateway-place.ts";

let place: GatewayPlace;
let document: Document;
let asked: ReturnType<typeof askedWith>;
const routeNames = Object.keys(routes).filter((name): name is RouteName => name in routes);
const bearer = { authorization: `Bearer ${token}` };

beforeAll(async () => {
  const model = scriptedModel((_prompt, round) =>
    round % 2 === 1
      ? [{ call: "write_file", with: { path: "a.txt", content: "two\n" } }]
      : [{ say: "It says two now." }, { usage: { inputTokens: 20, outputTokens: 5 } }],
  );
  const files = { "a.txt": "one\n", ".claude/commands/two.md": "Make it say two." };
  place = await gatewayPlace(model, { files, mode: "accept-edits" });
  const response = await fetch(`${place.url}/openapi.json`, { headers: bearer });
  document = JSON.parse(await response.text());
  const api = new OpenAPIClientAxios({
    definition: structuredClone(document),
    axiosConfigDefaults: { headers: bearer, validateStatus: () => true },
  });
  asked = askedWith(await api.init());
});
afterAll(() => place.end());

type Parameters = Record<string, string | number>;
type Operations = Record<string, unknown>;

/** Calls an operation by name, and checks the reply against the document. */
function askedWith(operations: Operations) {
  return async (name: RouteName, parameters: Parameters = {}, body?: unknown): Promise<AxiosResponse> => {
    const operation = operations[operationId(name)];
    if (typeof operation !== "function") throw new Error(`There is no operation ${name}.`);
    const type = Object.keys(operationOf(name)?.requestBody?.content ?? {})[0];
    const headers = typeof body === "string" ? { "content-type": type } : {}; // axios sends a string as a form
    const reply: AxiosResponse = await operation(parameters, body, { headers });
    expectAsDocumented(name, reply);
    return reply;
  };
}

type Told = { content?: Record<string, { schema: Schema }>; $ref?: string };
type Operation = { operationId: string; responses: Record<string, Told>; requestBody?: Told };

function operationOf(name: RouteName): Operation | undefined {
  const paths: Record<string, Record<string, Operation>> = JSON.parse(JSON.stringify(document.paths));
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return all.find((one) => one.operationId === operationId(name));
}

function expectAsDocumented(name: RouteName, { status, data, headers }: AxiosResponse): void {
  const told = operationOf(name)?.responses[String(status)];
  expect(told, `${name} replied with ${status}: ${JSON.stringify(data)}`).toBeDefined();
  const resolved: Told = told?.$ref
    ? told.$ref
        .split("/")
        .slice(1)
        .reduce((at, key) => Object(at)[key], Object(document))
    : (told ?? {});
  const [[type, content] = ["", undefined]] = Object.entries(resolved?.content ?? {});
  expect(String(headers["content-type"] ?? "")).toBe(type);
  if (type !== "application/json" || !content) return;
  const schema: Schema = { ...content.schema, components: document.components };
  const { valid, errors } = new Validator(schema, "2020-12").validate(data);
  expect(errors, `${name} ${status}: ${JSON.stringify(data)}`).toEqual([]);
  expect(valid).toBe(true);
}

/** Facts until the turn ends, in pages as documented. */
async function factsOf(id: string): Promise<{ seq: number; type: string }[]> {
  const facts: { seq: number; type: string }[] = [];
  while (facts.at(-1)?.type !== "turn-end") {
    const { data } = await asked("facts", { id, after: facts.at(-1)?.seq ?? 0, limit: 5 });
    facts.push(...data.facts);
  }
  return facts;
}

test("the served document is valid, and names the server's address", async () => {
  const { valid, errors } = await new OpenApiValidator().validate(structuredClone({ ...document }));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(document.servers).toEqual([{ url: place.url }]);
});

test("a third-party client generated from the document drives a session from create to delete", async () => {
  const created = await asked("create", {}, { title: "From the document" });
  expect(created.status).toBe(201);
  const id: string = created.data.id;
  const offered = await asked("slashCommands", { id });
  expect(offered.data.commands).toMatchObject([{ kind: "command", name: "two", from: "workspace" }]);
  expect((await asked("workspaceCommands")).data).toEqual(offered.data);
  const content = [{ type: "text", text: "/two" }];
  expect((await asked("command", { id }, { type: "send", content })).data).toEqual({ ok: true });
  const facts = await factsOf(id);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
  expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("two\n");

  const { data: changes } = await asked("review", { id });
  expect(changes.files).toMatchObject([{ path: "a.txt", status: "pending", added: 1, removed: 1 }]);
  const callId = facts.flatMap((fact) => ("callId" in fact ? [String(fact.callId)] : []))[0] ?? "";
  expect((await asked("result", { id, callId })).status).toBe(200);
  expect((await asked("context", { id })).data).toMatchObject({ session: id });
  expect((await asked("command", { id }, { type: "undo", paths: ["a.txt"] })).data).toEqual({ ok: true });
  expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("one\n");
  const again = await asked("command", { id }, { type: "undo", turn: 1 });
  expect(again).toMatchObject({ status: 409, data: { ok: false } });

  const listed = await asked("sessions", { search: "document", limit: 5 });
  expect(listed.data.sessions.map((one: { id: string }) => one.id)).toContain(id);
  expect((await asked("session", { id })).data).toMatchObject({ id, title: "From the document", turns: 1 });
  const exported = await asked("export", { id });
  expect(exported.status).toBe(200);
  const forked = await asked("fork", { id }, { beforeTurn: 1 });
  expect(forked.status).toBe(201);
  expect(await asked("remove", { id: forked.data.session.id })).toMatchObject({ status: 204 });
  expect(await asked("remove", { id })).toMatchObject({ status: 204 });

  const back = await asked("import", {}, exported.data);
  expect(back).toMatchObject({ status: 201, data: { was: id } });
});

test("the routes about the gateway itself reply as documented", async () => {
  expect((await asked("alive")).data).toEqual({ status: "ok" });
  expect((await asked("ready")).data).toEqual({ status: "ok" });
  expect((await asked("health")).data).toMatchObject({ status: "ok", version: "0.0.0-test" });
  expect((await asked("metrics")).status).toBe(200);
  expect((await asked("models")).status).toBe(200);
  expect((await asked("openapi")).status).toBe(200);
  const { data } = await asked("newCode", {}, {});
  expect((await asked("exchange", {}, data)).status).toBe(200);
  expect((await asked("exchange", {}, data)).status).toBeGreaterThanOrEqual(400);
});

test("errors are returned as documented", async () => {
  for (const name of routeNames) {
    const reply = await asked(name, { id: "nobody", callId: "nothing" }, { mode: "not meant" });
    const mustFail = routes[name].path.includes(":") || "body" in routes[name];
    if (mustFail) expect(reply.status, name).toBeGreaterThanOrEqual(400);
    if (reply.status >= 400) expect(reply.data, name).toMatchObject({ error: { code: expect.any(String) } });
  }
  const stranger = await fetch(`${place.url}/sessions`);
  expect(stranger.status).toBe(401);
  expectAsDocumented("sessions", {
    status: 401,
    data: JSON.parse(await stranger.text()),
    headers: Object.fromEntries(stranger.headers),
  } as AxiosResponse);
});
