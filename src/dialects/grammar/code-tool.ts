/** Calls whose only argument is raw code, and the offered tool that takes it. */

import { propertyNames, propertySchema, requiredNames, typesAllowed } from "../../base/json-schema.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";

/** `parameter` receives the code. */
type CodeTool = { readonly name: string; readonly parameter: string };

/** What models call the tool that runs code, and products theirs. */
const toolNames: readonly string[] = [
  "python",
  "ipython",
  "code_interpreter",
  "interpreter",
  "python_interpreter",
  "run_python",
  "execute_python",
  "run_code",
  "execute_code",
  "jupyter",
];
const parameterNames: readonly string[] = ["code", "python_code", "source_code", "source", "script"];
/** A tool of any other name must sound like one that runs code: a `code` may also be one of an airport. */
const runsCode = /code|python|script|exec|run|eval|interpret|notebook|sandbox|repl|jupyter/i;

/**
 * The tool that was named, if it is on offer and can be called with code alone. If none of that name is: the one that
 * is known to run code by its name, else the only one that sounds like it and declares a parameter for code.
 */
export function codeTool(offered: OfferedTools, written?: string): CodeTool | undefined {
  const meant = [...(written === undefined ? [] : [written]), ...toolNames].map((name) => offered.find(name));
  const tool = meant.find((one) => one !== undefined);
  if (tool) return taking(tool, codeParameter(tool.schema) ?? only(tool.schema));
  const others = offered.tools.flatMap(
    (one) => taking(one, runsCode.test(one.name) ? codeParameter(one.schema) : undefined) ?? [],
  );
  return others.length === 1 ? others[0] : undefined;
}

const taking = ({ name }: { name: string }, parameter: string | undefined): CodeTool | undefined =>
  parameter === undefined ? undefined : { name, parameter };

/** The parameter whose name suggests code. */
const codeParameter = (schema: JsonObject): string | undefined =>
  parameterNames.find((name) => propertyNames(schema, schema).includes(name) && takesAlone(schema, name));

/** The only required text parameter, or the only one there is. */
function only(schema: JsonObject): string | undefined {
  const required = requiredNames(schema, schema);
  const names = required.length > 0 ? required : propertyNames(schema, schema);
  return names.length === 1 ? names.find((name) => takesAlone(schema, name)) : undefined;
}

function takesAlone(schema: JsonObject, name: string): boolean {
  const types = typesAllowed(propertySchema(schema, name, schema), schema);
  const isText = types.size === 0 || types.has("string");
  return isText && requiredNames(schema, schema).every((one) => one === name);
}

/** `written`: the tool's name as the model wrote it, if it did. If no offered tool fits, the call has that name. */
export function codeCall(offered: OfferedTools, code: string, written?: string): ReadCall {
  const tool = codeTool(offered, written);
  const { name, parameter } = tool ?? { name: written ?? "code_interpreter", parameter: "code" };
  return { name, input: { [parameter]: withoutFence(code) } };
}

const withoutFence = (code: string): string =>
  /^\s*```\w*\n(.*?)\n?```\s*$/s.exec(code)?.[1] ?? code.trimEnd().replace(/^\s*\n/, "");
