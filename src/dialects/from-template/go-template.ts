/** Renders a template of Go's text/template with the values and functions that Ollama gives its chat templates. */

import { isObject } from "../../base/json.ts";
import { parseGo, type GoNode, type GoOperand, type GoPipeline, type GoTemplate } from "./go-syntax.ts";

/** Whether a chat template is Go's and not Jinja's. */
export const isGoTemplate = (source: string): boolean =>
  !source.includes("{%") && /\{\{-?\s*(?:if|range|with|define|\.[A-Z]|\$)/.test(source);

type GoMessage = {
  role: string;
  content: string;
  name?: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
};

/** Throws an Error if it cannot be read or rendered. */
export function renderGo(source: string, messages: readonly GoMessage[], tools: readonly unknown[]): string {
  const template = parseGo(source);
  const data = {
    Messages: messages.map((message) => ({
      Role: message.role,
      Content: message.content,
      ToolName: message.name,
      ToolCallID: message.tool_call_id,
      ToolCalls: message.tool_calls?.map(({ id, function: called }, index) => ({
        ID: id,
        Function: { Index: index, Name: called.name, Arguments: called.arguments },
      })),
    })),
    Tools: tools.map(goTool),
  };
  const state: GoState = { template, output: [], variables: [new Map([["$", data]])], depth: 0 };
  renderNodes(state, template.nodes, data);
  return state.output.join("");
}

/** A tool's own fields, by Go's names; its schema stays as it is. */
function goTool(tool: unknown): unknown {
  if (!isObject(tool) || !isObject(tool["function"])) return tool;
  const { name, description, parameters } = tool["function"];
  const Function = { Name: name, Description: description, Parameters: parameters };
  return { Type: tool["type"], Function: asJson(Function, tool["function"]) };
}

/** Printed as its JSON, as Ollama's own types are. */
const printed = new WeakMap<object, unknown>();
function asJson<Value extends object>(value: Value, source: unknown): Value {
  printed.set(value, source);
  return value;
}

type VariableScope = Map<string, unknown>;
type GoState = { template: GoTemplate; output: string[]; variables: VariableScope[]; depth: number };
type LoopFlow = "break" | "continue" | undefined;

/** Deepest nesting of templates that call templates. */
const maxDepth = 50;

function renderNodes(state: GoState, nodes: readonly GoNode[], dot: unknown): LoopFlow {
  state.variables.push(new Map());
  try {
    for (const node of nodes) {
      const flow = renderNode(state, node, dot);
      if (flow !== undefined) return flow;
    }
    return undefined;
  } finally {
    state.variables.pop();
  }
}

function renderNode(state: GoState, node: GoNode, dot: unknown): LoopFlow {
  switch (node.type) {
    case "text":
      state.output.push(node.text);
      return undefined;
    case "print": {
      const value = evaluate(state, node.pipeline, dot);
      if (node.pipeline.declares.length === 0) state.output.push(textOf(value));
      return undefined;
    }
    case "if":
    case "with":
      return renderChoice(state, node, dot);
    case "range":
      return renderRange(state, node, dot);
    case "call": {
      const nodes = state.template.defined.get(node.name);
      if (!nodes || state.depth >= maxDepth) throw new Error(`The template ${node.name} cannot be used.`);
      const given = node.pipeline && evaluate(state, node.pipeline, dot);
      renderNodes({ ...state, depth: state.depth + 1, variables: [new Map([["$", given]])] }, nodes, given);
      return undefined;
    }
    default:
      return node.type;
  }
}

function renderChoice(state: GoState, node: GoNode & { type: "if" | "with" }, dot: unknown): LoopFlow {
  state.variables.push(new Map());
  try {
    const value = evaluate(state, node.pipeline, dot);
    if (!isTrue(value)) return renderNodes(state, node.otherwise, dot);
    return renderNodes(state, node.body, node.type === "with" ? value : dot);
  } finally {
    state.variables.pop();
  }
}

function renderRange(state: GoState, node: GoNode & { type: "range" }, dot: unknown): LoopFlow {
  const value = evaluate(state, { ...node.pipeline, declares: [] }, dot);
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return renderNodes(state, node.otherwise, dot);
  const [first, second] = node.pipeline.declares;
  for (const [key, item] of entries) {
    const scope: VariableScope = new Map();
    if (first !== undefined) scope.set(first, second === undefined ? item : key);
    if (second !== undefined) scope.set(second, item);
    state.variables.push(scope);
    const flow = renderNodes(state, node.body, item);
    state.variables.pop();
    if (flow === "break") break;
  }
  return undefined;
}

function evaluate(state: GoState, { declares, sets, commands }: GoPipeline, dot: unknown): unknown {
  let value: unknown;
  for (const [index, [head, ...rest]] of commands.entries()) {
    if (!head) throw new Error("A command is empty.");
    const args = [
      ...rest.map((operand) => () => valueOf(state, operand, dot)),
      ...(index > 0 ? [constant(value)] : []),
    ];
    value = head.type === "function" ? call(head.name, args) : valueOf(state, head, dot);
  }
  const [name] = declares;
  if (name === undefined) return value;
  const scope = sets ? state.variables.findLast((one) => one.has(name)) : state.variables.at(-1);
  scope?.set(name, value);
  return value;
}

const constant =
  (value: unknown): (() => unknown) =>
  () =>
    value;

function valueOf(state: GoState, operand: GoOperand, dot: unknown): unknown {
  switch (operand.type) {
    case "value":
      return operand.value;
    case "variable":
      return state.variables.findLast((scope) => scope.has(operand.name))?.get(operand.name);
    case "pipeline":
      return evaluate(state, operand.pipeline, dot);
    case "function":
      return call(operand.name, []);
    case "field": {
      const from = operand.of === undefined ? dot : valueOf(state, operand.of, dot);
      return operand.names.reduce(
        (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
        from,
      );
    }
    default:
      return operand satisfies never;
  }
}

function call(name: string, args: readonly (() => unknown)[]): unknown {
  if (name === "and") return decide(args, (value) => !isTrue(value));
  if (name === "or") return decide(args, isTrue);
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) throw new Error(`There is no function ${name}.`);
  return known(...args.map((one) => one()));
}

/** The first argument that decides, else the last. */
function decide(args: readonly (() => unknown)[], decides: (value: unknown) => boolean): unknown {
  let value: unknown;
  for (const one of args) {
    value = one();
    if (decides(value)) return value;
  }
  return value;
}

const order = (one: unknown, other: unknown): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : textOf(one).localeCompare(textOf(other));
const lengthOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value)
    ? value.length
    : isObject(value)
      ? Object.keys(value).length
      : 0;

const functions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  not: (value) => !isTrue(value),
  eq: (one, ...others) => others.some((other) => one === other),
  ne: (one, other) => one !== other,
  lt: (one, other) => order(one, other) < 0,
  le: (one, other) => order(one, other) <= 0,
  gt: (one, other) => order(one, other) > 0,
  ge: (one, other) => order(one, other) >= 0,
  len: lengthOf,
  index: (value, ...keys) =>
    keys.reduce((from, key) => {
      if (Array.isArray(from) && typeof key === "number") return from[key];
      return isObject(from) && typeof key === "string" && Object.hasOwn(from, key) ? from[key] : undefined;
    }, value),
  slice: (value, from, to) =>
    typeof value === "string" || Array.isArray(value)
      ? value.slice(Number(from ?? 0), to === undefined ? undefined : Number(to))
      : undefined,
  print: (...args) => args.map(textOf).join(""),
  println: (...args) => `${args.map(textOf).join(" ")}\n`,
  printf: (form, ...args) => {
    let at = 0;
    return textOf(form).replaceAll(/%[svdq]/g, (mark) => {
      const value = args[at];
      at += 1;
      return mark === "%q" ? JSON.stringify(textOf(value)) : textOf(value);
    });
  },
  json: (value) => JSON.stringify(plain(value)),
  currentDate: () => "2026-01-01",
  yesterdayDate: () => "2025-12-31",
};

const isTrue = (value: unknown): boolean =>
  Array.isArray(value) || isObject(value) ? lengthOf(value) > 0 : Boolean(value);

const plain = (value: unknown): unknown => (isObject(value) ? (printed.get(value) ?? value) : value) ?? null;

/** Objects print as JSON: that is how Ollama's own types do. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  return JSON.stringify(plain(value)) ?? "";
}
