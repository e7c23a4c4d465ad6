import { Validator as OpenApiValidator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { newSession, command, type ApiRoute, routes } from "./api.ts";
import { connect } from "./client.ts";
import { openApiDocument, operationId } from "./openapi.ts";

const document = openApiDocument({ version: "1.2.3", url: "http://127.0.0.1:4141" });

type Operation = {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, unknown>;
};
const paths: Record<string, Record<string, Operation>> = JSON.parse(JSON.stringify(document["paths"]));
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

test("the document is valid OpenAPI 3.1, and every reference in it resolves", async () => {
  const validator = new OpenApiValidator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
  const text = JSON.stringify(document);
  for (const [, path = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/gu)) {
    const found = path.split("/").reduce<unknown>((at, name) => Object(at)[name], document);
    expect(found, path).toBeTypeOf("object");
  }
  expect(text).not.toContain("$id");
});

test("the operations are exactly the routes, each under its own name", () => {
  const names = operations.map((one) => one.operationId);
  expect(names.toSorted()).toEqual(Object.keys(routes).map(operationId).toSorted());
  expect(new Set(names).size).toBe(names.length);
  for (const reserved of ["import", "export", "delete", "create", "request"])
    expect(names).not.toContain(reserved);
  for (const [name, route] of Object.entries<ApiRoute>(routes)) {
    const { parameters = [], ...operation } =
      paths[route.path.replaceAll(/:(\w+)/gu, "{$1}")]?.[route.method.toLowerCase()] ?? ({} as Operation);
    expect(operation.operationId).toBe(operationId(name));
    expect(operation.security === undefined).toBe(route.needs !== "none");
    expect(operation.requestBody !== undefined).toBe(route.method === "POST");
    expect(parameters.filter((one) => one.in === "path").map((one) => one.name)).toEqual(
      [...route.path.matchAll(/:(\w+)/gu)].map(([, word]) => word),
    );
    for (const status of ["400", "429", "500", "503", "default"])
      expect(Object.keys(operation.responses)).toContain(status);
    expect("401" in operation.responses).toBe(true);
  }
});

test("the client has a method for every operation that sends all its parameters", async () => {
  for (const [name, route] of Object.entries<ApiRoute>(routes)) {
    const operation = operations.find((one) => one.operationId === operationId(name));
    const { parameters = [], requestBody, security } = operation ?? { responses: {} };
    const sent: { url: string; init: RequestInit | undefined }[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      sent.push({ url: typeof url === "string" ? url : "", init });
      return Response.json({ error: { code: "none", message: "None." } }, { status: 404 });
    };
    const client: Record<string, unknown> = { ...connect({ url: "http://gateway:1/", token: "t", fetch }) };
    const method = client[name];
    if (typeof method !== "function") throw new Error(`There is no method ${name}.`);
    const inPath = parameters.filter((one) => one.in === "path").map((one) => `${one.name}/é`);
    const query = Object.fromEntries(
      parameters.filter((one) => one.in === "query").map((one) => [one.name, "7"]),
    );
    const body = route.body ? ["body"] : [];
    await expect(
      outcomeOf(method(...inPath, ...body, ...(Object.keys(query).length > 0 ? [query] : []))),
    ).rejects.toMatchObject({ status: 404, code: "none" });
    const [{ url, init } = { url: "", init: undefined }] = sent;
    const address = new URL(url);
    for (const word of inPath) expect(address.pathname).toContain(encodeURIComponent(word));
    expect(Object.fromEntries(address.searchParams)).toEqual(query);
    const headers = new Headers(init?.headers);
    expect(headers.get("authorization")).toBe(security ? null : "Bearer t");
    const type = Object.keys(requestBody?.content ?? {})[0];
    expect(headers.get("content-type")).toBe(route.body ? type : null);
    expect(paths[templateOf(operationId(name))]?.[String(init?.method).toLowerCase()]).toBe(operation);
  }
});

async function outcomeOf(given: unknown): Promise<void> {
  if (typeof given === "object" && given !== null && Symbol.asyncIterator in given) {
    const events = given as AsyncIterable<unknown>;
    for await (const _ of events) break;
  } else await given;
}

const templateOf = (name: string): string =>
  Object.entries(paths).find(([, methods]) =>
    Object.values(methods).some((one) => one.operationId === name),
  )?.[0] ?? "";

test("the examples match the schemas", () => {
  const exampleOf = (name: string) => {
    const found = operations.find((one) => one.operationId === operationId(name));
    return Object.values(found?.requestBody?.content ?? {})[0]?.example;
  };
  expect(newSession.safeParse(exampleOf("create")).success).toBe(true);
  expect(command.safeParse(exampleOf("command")).success).toBe(true);
  for (const [name, { body }] of Object.entries<ApiRoute>(routes))
    if (body?.schema) expect(body.schema.safeParse(exampleOf(name)).success, name).toBe(true);
});

test("shared schemas are components with a description", () => {
  const { schemas }: { schemas: Record<string, JsonObject> } = JSON.parse(
    JSON.stringify(document["components"]),
  );
  for (const name of ["Session", "Problem", "Command", "SendCommand", "Outcome", "Fact", "Review"])
    expect(schemas[name]?.["description"], name).toBeTypeOf("string");
  expect(JSON.stringify(schemas["Sessions"])).toContain("#/components/schemas/Session");
  expect(JSON.stringify(schemas["Command"])).toContain("#/components/schemas/UndoCommand");
});
