/** Tools that a program brings: they may have been written without types, or throw, and then the call fails, and nothing else. */

import { errorMessage, type Expected } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import { tools as builtIn } from "./index.ts";
import { failedResult, type PreparedCall, type Tool } from "./tool.ts";

/** The same tools, with what they prepare and return checked; the built-in ones among them as they are. */
export const checkedTools = (tools: readonly Tool[]): Tool[] =>
  tools.map((tool) => (builtIn.includes(tool) ? tool : checkedTool(tool)));

/** By the program's tool, so that it stays the same from step to step. */
const known = new WeakMap<Tool, Tool>();

function checkedTool(tool: Tool): Tool {
  const before = known.get(tool);
  if (before) return before;
  const prepare = (input: JsonObject): Expected<PreparedCall> => preparedBy(tool, () => tool.prepare(input));
  // Its other members are read when they are needed, and as its own: a schema is made late, and a class has private fields.
  const shell: Tool = Object.create(tool);
  const checked = new Proxy(shell, {
    get: (_, member) => (member === "prepare" ? prepare : Reflect.get(tool, member)),
  });
  known.set(tool, checked);
  return checked;
}

function preparedBy(tool: Tool, prepare: () => Expected<PreparedCall>): Expected<PreparedCall> {
  try {
    const prepared = prepare();
    if (prepared.ok && typeof prepared.value.title !== "string") throw new TypeError("its title is no text");
    return prepared.ok ? { ok: true, value: checkedCall(tool, prepared.value) } : prepared;
  } catch (error) {
    return { ok: true, value: brokenCall(tool, `The tool failed: ${errorMessage(error)}`) };
  }
}

function checkedCall(tool: Tool, call: PreparedCall): PreparedCall {
  const { edited } = call;
  return {
    ...call,
    edited: edited && ((command) => preparedBy(tool, () => edited(command))),
    async run(context) {
      const returned = await call.run(context);
      const { resultProblem } = await import("./result-problem.ts"); // its schema takes long to make
      const problem = resultProblem(returned);
      return problem === undefined ? returned : failedResult(`The tool failed: ${problem}`);
    },
  };
}

/** The tool is at fault, not the arguments: nobody is asked about a call that does nothing, and it fails. */
const brokenCall = ({ name }: Tool, problem: string): PreparedCall => ({
  title: name,
  paths: [],
  does: "read",
  whyNot: async () => problem,
  run: async () => failedResult(problem),
});
