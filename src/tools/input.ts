/** Arguments as models write them, brought gently and without loss to what a JSON Schema asks for (requirement D8). */
import { isJsonObject, type Json, type JsonObject, type Parsed, parseJson } from "../base/json.ts";
import type { Repair } from "../protocol/messages.ts";

/** Other names of arguments: `{ path: ["file", "filePath"] }`. */
export type ArgumentAliases = Readonly<Record<string, readonly string[]>>;

export type MendedInput = { input: JsonObject; repairs: Repair[] };

/** Names first, then values. Whatever cannot be mended is left as it is, for the check to refuse. */
export function mendInput(schema: JsonObject, input: JsonObject, aliases: ArgumentAliases = {}): MendedInput {
  const repairs: Repair[] = [];
  const named = withDeclaredNames(knownNames(schema), input, { aliases, repairs });
  const mended = mend(schema, named, { root: schema, repairs, place: "", depth: 0 });
  return { input: isJsonObject(mended) ? mended : named, repairs };
}

/** What a model is told about arguments that cannot be used. The words are those of requirement D8. */
export function invalidInput(problem: string): Parsed<never> {
  return {
    ok: false,
    problem: `ERROR: Your input to the tool was invalid (${problem})\nPlease check your input and try again.`,
  };
}

/** The arguments that an object schema names. */
export function knownNames(schema: JsonObject): string[] {
  return Object.keys(objectAt(schema, "properties") ?? {});
}

/** Case and separators aside: `filePath`, `file_path` and `FILE-PATH` are one name. */
export function looseName(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, "");
}

type Naming = { aliases: ArgumentAliases; repairs: Repair[] };

/** A declared name that is present wins over its aliases; of two aliases the first one written does. */
function withDeclaredNames(
  known: readonly string[],
  input: JsonObject,
  { aliases, repairs }: Naming,
): JsonObject {
  const named: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) if (known.includes(name)) put(named, name, value);
  for (const [name, value] of Object.entries(input)) {
    if (known.includes(name)) continue;
    const declared = declaredName(name, known, aliases);
    if (declared === undefined) put(named, name, value);
    else if (Object.hasOwn(named, declared)) {
      repairs.push({ code: "argument-ignored", detail: `"${name}", because "${declared}" is there too` });
    } else {
      put(named, declared, value);
      repairs.push({ code: "argument-renamed", detail: `"${name}" to "${declared}"` });
    }
  }
  return named;
}

function declaredName(name: string, known: readonly string[], aliases: ArgumentAliases): string | undefined {
  const exact = known.find((one) => aliases[one]?.includes(name));
  if (exact !== undefined) return exact;
  const loose = looseName(name);
  const close = known.filter((one) =>
    [one, ...(aliases[one] ?? [])].some((other) => looseName(other) === loose),
  );
  return close.length === 1 ? close[0] : undefined;
}

/** Sets an own property whatever its name: plain assignment to `__proto__` would not. */
function put(target: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** `place` is where in the input we are, like `edits[0].old`; `root` answers `$ref`. */
type Mending = { root: JsonObject; repairs: Repair[]; place: string; depth: number };

const deepest = 32;

function mend(schema: Json | undefined, value: Json, mending: Mending): Json {
  if (schema === undefined || !isJsonObject(schema) || mending.depth > deepest) return value;
  const branches = branchesOf(schema, mending.root);
  const types = new Set(branches.flatMap(typesOf));
  const mended = types.size === 0 || types.has(typeOf(value)) ? value : converted(value, types, mending);
  const fitting = branches.filter((branch) => typesOf(branch).includes(typeOf(mended)));
  const [branch] = fitting;
  // With several candidates nobody knows which is meant, and guessing would not be gentle.
  return branch && fitting.length === 1 ? mendInside(branch, mended, mending) : mended;
}

function mendInside(schema: JsonObject, value: Json, mending: Mending): Json {
  const depth = mending.depth + 1;
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      mend(schema["items"], item, { ...mending, depth, place: `${mending.place}[${at}]` }),
    );
  }
  if (value === null || !isJsonObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    const place = mending.place === "" ? name : `${mending.place}.${name}`;
    const innerSchema = ownSchema(schema, name);
    if (inner === null && mayBeAbsent(schema, name) && !allows(innerSchema, "null", mending.root)) {
      mending.repairs.push({ code: "null-dropped", detail: `"${place}" was null, which is read as absent` });
      continue;
    }
    put(result, name, mend(innerSchema, inner, { ...mending, depth, place }));
  }
  return result;
}

function ownSchema(schema: JsonObject, name: string): Json | undefined {
  const properties = objectAt(schema, "properties");
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return schema["additionalProperties"];
}

function mayBeAbsent(schema: JsonObject, name: string): boolean {
  const properties = objectAt(schema, "properties");
  const required = schema["required"];
  return (
    properties !== undefined &&
    Object.hasOwn(properties, name) &&
    !(Array.isArray(required) && required.includes(name))
  );
}

function allows(schema: Json | undefined, type: string, root: JsonObject): boolean {
  if (schema === undefined || !isJsonObject(schema)) return true;
  const types = branchesOf(schema, root).flatMap(typesOf);
  return types.length === 0 || types.includes(type);
}

/** The schema itself, or its alternatives, with local references followed. */
function branchesOf(schema: JsonObject, root: JsonObject, depth = 0): JsonObject[] {
  if (depth > deepest) return [schema];
  const target = typeof schema["$ref"] === "string" ? referenced(schema["$ref"], root) : undefined;
  if (target) return branchesOf(target, root, depth + 1);
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(alternatives)) return [schema];
  return alternatives.flatMap((one) => (isJsonObject(one) ? branchesOf(one, root, depth + 1) : []));
}

/** Only references inside the schema: "#/$defs/x". */
function referenced(reference: string, root: JsonObject): JsonObject | undefined {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1);
  let at: Json | undefined = root;
  for (const step of steps) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    at = at !== undefined && isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at !== undefined && isJsonObject(at) ? at : undefined;
}

/** The types a schema allows; none when it does not say. A number may stand where an integer may, if it is whole. */
function typesOf(schema: JsonObject): string[] {
  const type = schema["type"];
  if (typeof type === "string") return widened([type]);
  if (Array.isArray(type)) return widened(type.filter((one) => typeof one === "string"));
  if (Object.hasOwn(schema, "const")) return [typeOf(schema["const"] ?? null)];
  if (Array.isArray(schema["enum"])) return [...new Set(schema["enum"].map(typeOf))];
  return objectAt(schema, "properties") ? ["object"] : [];
}

function widened(types: string[]): string[] {
  return types.includes("number") ? [...types, "integer"] : types;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** The value as one of the allowed types, if that loses nothing. */
function converted(value: Json, types: ReadonlySet<string>, mending: Mending): Json {
  const made = conversion(value, types);
  if (made === undefined) return value;
  const place = mending.place === "" ? "the input" : `"${mending.place}"`;
  mending.repairs.push({
    code: made.code,
    detail: `${place}: ${typeOf(value)} read as ${typeOf(made.value)}`,
  });
  return made.value;
}

type Conversion = { code: string; value: Json };

function conversion(value: Json, types: ReadonlySet<string>): Conversion | undefined {
  if (typeof value === "string") {
    const read = fromText(value, types);
    if (read) return read;
  }
  const plain = typeof value === "number" || typeof value === "boolean";
  if (plain && types.has("string")) return { code: "value-to-text", value: String(value) };
  if (types.has("array") && value !== null) return { code: "item-to-list", value: [value] };
  return undefined;
}

const wholeOrDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function fromText(words: string, types: ReadonlySet<string>): Conversion | undefined {
  const trimmed = words.trim();
  if (types.has("boolean") && /^(?:true|false)$/i.test(trimmed)) {
    return { code: "text-to-boolean", value: trimmed.toLowerCase() === "true" };
  }
  if ((types.has("number") || types.has("integer")) && wholeOrDecimal.test(trimmed)) {
    const number = Number(trimmed);
    const exact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
    if (exact && types.has(typeOf(number))) return { code: "text-to-number", value: number };
  }
  if ((types.has("object") && trimmed.startsWith("{")) || (types.has("array") && trimmed.startsWith("["))) {
    const parsed = parseJson(trimmed);
    if (parsed.ok && types.has(typeOf(parsed.value))) return { code: "text-to-json", value: parsed.value };
  }
  return undefined;
}

function objectAt(schema: JsonObject, key: string): JsonObject | undefined {
  const value = schema[key];
  return value !== undefined && isJsonObject(value) ? value : undefined;
}
