import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { offeredTools } from "../extract.ts";
import { parametersOf } from "./tool-schema.ts";

const parameters = (schema: JsonObject, aliases?: Readonly<Record<string, readonly string[]>>) =>
  parametersOf(offeredTools([{ name: "t", description: "", schema, ...(aliases ? { aliases } : {}) }]), "t");
const properties = { file_path: { type: "string" }, mode: { type: "integer" } };

test("a name matches a parameter, ignoring case and separators, or a declared alias", () => {
  const { declared } = parameters({ type: "object", properties }, { file_path: ["path"] });
  expect(["file_path", "filePath", "path", "Mode", "size", "constructor"].map(declared)).toEqual([
    "file_path",
    "file_path",
    "file_path",
    "mode",
    undefined,
    undefined,
  ]);
});

test.each<[string, JsonObject, string | undefined]>([
  ["no properties are declared", { type: "object" }, "size"],
  ["no properties are allowed", { type: "object", properties: {}, additionalProperties: false }, undefined],
  ["additional properties are allowed", { type: "object", properties, additionalProperties: true }, "size"],
  [
    "additional properties of one type are allowed",
    { type: "object", properties, additionalProperties: { type: "number" } },
    "size",
  ],
  ["additional properties are not mentioned", { type: "object", properties }, undefined],
])("an undeclared name when %s", (_, schema, meant) => {
  expect(parameters(schema).declared("size")).toBe(meant);
});

test("a tool that was not offered takes any parameter", () => {
  const unknown = parametersOf(offeredTools([]), "t");
  expect([unknown.isKnown, unknown.declared("x"), unknown.required]).toEqual([false, "x", []]);
});

test("required parameters, names and schemas are reported", () => {
  const { required, schemaOf, names } = parameters({ type: "object", properties, required: ["mode"] });
  expect([required, names, schemaOf("Mode")]).toEqual([["mode"], ["file_path", "mode"], { type: "integer" }]);
});
