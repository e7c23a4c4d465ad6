/**
 * Renders a template of Go's text/template with the values and functions that Ollama gives its chat templates: what is
 * read becomes functions, which write their part.
 */

import { isObject } from "../../base/json.ts";
import { call, isTrue, textOf } from "./go-functions.ts";

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
  const reading: TemplateReading = { pieces: piecesOf(source), at: 0, defined: new Map() };
  const { write } = readParts(reading, []);
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
  const output: string[] = [];
  write({ output, scopes: [new Map([["$", data]])], depth: 0 }, data);
  return output.join("");
}

/** A tool's own fields, by Go's names; its schema stays as it is. */
function goTool(tool: unknown): unknown {
  if (!isObject(tool) || !isObject(tool["function"])) return tool;
  const { name, description, parameters } = tool["function"];
  // Printed as its JSON, as Ollama's own types are.
  const toJSON = (): unknown => tool["function"];
  return {
    Type: tool["type"],
    Function: { Name: name, Description: description, Parameters: parameters, toJSON },
  };
}

/** `scopes`: the variables by name, those declared last at the end. `depth`: of templates that call templates. */
type GoState = {
  readonly output: string[];
  readonly scopes: readonly Map<string, unknown>[];
  readonly depth: number;
};
/** Writes a part of the template; `dot` is what `.` stands for. It may end a loop, or a round of it. */
type GoPart = (state: GoState, dot: unknown) => "break" | "continue" | undefined;
type GoValue = (state: GoState, dot: unknown) => unknown;

/** Deepest nesting of templates that call templates. */
const maxDepth = 50;

const within = ({ scopes, ...state }: GoState, scope: ReadonlyMap<string, unknown> = new Map()): GoState => ({
  ...state,
  scopes: [...scopes, new Map(scope)],
});

type TemplatePiece = { text: string } | { action: string };
type TemplateReading = { pieces: TemplatePiece[]; at: number; defined: Map<string, GoPart> };

/** `{{-` and `-}}` take away the white space beside them. */
function piecesOf(source: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  const action =
    /\{\{(-\s)?\s*((?:\/\*[^]*?\*\/)|(?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`}]|\}(?!\}))*?)\s*(\s-)?\}\}/gy;
  let trims = false;
  for (let at = 0; at < source.length;) {
    const next = source.indexOf("{{", at);
    const text = source.slice(at, next < 0 ? undefined : next);
    action.lastIndex = next;
    const found = next < 0 ? null : action.exec(source);
    if (next >= 0 && !found) throw new Error("An action does not end.");
    const left = trims ? text.trimStart() : text;
    pieces.push({ text: found?.[1] === undefined ? left : left.trimEnd() });
    if (!found) break;
    trims = found[3] !== undefined;
    pieces.push({ action: found[2] ?? "" });
    at = action.lastIndex;
  }
  return pieces;
}

/** `end`: the words of the action at which it stopped. */
function readParts(reading: TemplateReading, ends: readonly string[]): { write: GoPart; end: string } {
  const parts: GoPart[] = [];
  const write: GoPart = (state, dot) => {
    const inner = within(state);
    for (const part of parts) {
      const flow = part(inner, dot);
      if (flow !== undefined) return flow;
    }
    return undefined;
  };
  for (let piece = reading.pieces[reading.at]; piece; piece = reading.pieces[reading.at]) {
    reading.at += 1;
    if ("text" in piece) {
      const { text } = piece;
      parts.push(({ output }) => void output.push(text));
      continue;
    }
    const [word = ""] = /^\w+/.exec(piece.action) ?? [];
    if (ends.includes(word)) return { write, end: piece.action };
    parts.push(...readAction(reading, word, piece.action));
  }
  if (ends.length > 0) throw new Error("A block does not end.");
  return { write, end: "" };
}

function readAction(reading: TemplateReading, word: string, action: string): GoPart[] {
  const rest = action.slice(word.length).trim();
  switch (word) {
    case "if":
    case "with":
    case "range":
      return [readBlock(reading, word, rest)];
    case "break":
    case "continue":
      return [() => word];
    case "define":
    case "block":
    case "template": {
      const [written = "", ...more] = tokensOf(rest);
      const name = stringOf(written);
      const given = more.length > 0 ? valueToKeep(pipelineOf(more)) : (): undefined => undefined;
      if (word !== "template") reading.defined.set(name, readParts(reading, ["end"]).write);
      return word === "define" ? [] : [callPart(reading.defined, name, given)];
    }
    default:
      return action === "" || action.startsWith("/*") ? [] : [printPart(pipelineOf(tokensOf(action)))];
  }
}

function readBlock(reading: TemplateReading, type: string, condition: string): GoPart {
  const pipeline = pipelineOf(tokensOf(condition));
  const { write: body, end } = readParts(reading, ["else", "end"]);
  const [, nested, rest = ""] = /^else\s+(if|with)\s+([^]*)$/.exec(end) ?? [];
  const others =
    nested === undefined && end.startsWith("else")
      ? readParts(reading, ["end"]).write
      : (): undefined => undefined;
  const otherwise = nested === undefined ? others : readBlock(reading, nested, rest);
  if (type === "range") return rangePart(pipeline, body, otherwise);
  const valueOf = valueToKeep(pipeline);
  return (state, dot) => {
    const inner = within(state);
    const value = valueOf(inner, dot);
    return isTrue(value) ? body(inner, type === "with" ? value : dot) : otherwise(inner, dot);
  };
}

const rangePart =
  ({ value, names: [first, second] }: GoPipeline, body: GoPart, otherwise: GoPart): GoPart =>
  (state, dot) => {
    const over = value(state, dot);
    const entries = Array.isArray(over) ? [...over.entries()] : isObject(over) ? Object.entries(over) : [];
    if (entries.length === 0) return otherwise(state, dot);
    for (const [key, item] of entries) {
      const scope = new Map<string, unknown>();
      if (first !== undefined) scope.set(first, second === undefined ? item : key);
      if (second !== undefined) scope.set(second, item);
      if (body(within(state, scope), item) === "break") break;
    }
    return undefined;
  };

const callPart =
  (defined: ReadonlyMap<string, GoPart>, name: string, given: GoValue): GoPart =>
  (state, dot) => {
    const write = defined.get(name);
    if (!write || state.depth >= maxDepth) throw new Error(`The template ${name} cannot be used.`);
    const value = given(state, dot);
    write({ ...state, depth: state.depth + 1, scopes: [new Map([["$", value]])] }, value);
    return undefined;
  };

function printPart(pipeline: GoPipeline): GoPart {
  const valueOf = valueToKeep(pipeline);
  return (state, dot) => {
    const value = valueOf(state, dot);
    if (pipeline.names.length === 0) state.output.push(textOf(value));
    return undefined;
  };
}

const token = /\s*("(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])'|:=|[|(),=]|[^\s|(),="`]+)/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ""; end = token.lastIndex) {
    const found = token.exec(text)?.[1];
    if (found === undefined) throw new Error("An action cannot be read.");
    tokens.push(found);
  }
  return tokens;
}

/** Commands joined by `|`. `names`: `$a, $b :=`; `sets`: `$a =`. */
type GoPipeline = { names: readonly string[]; sets: boolean; value: GoValue };

function pipelineOf(tokens: readonly string[]): GoPipeline {
  const assigns = tokens.findIndex((one) => one === ":=" || one === "=");
  const names = assigns < 0 ? [] : tokens.slice(0, assigns).filter((one) => one !== ",");
  const reading = { tokens: tokens.slice(assigns + 1), at: 0 };
  const value = commandsOf(reading);
  if (reading.at < reading.tokens.length) throw new Error("A bracket does not open.");
  return { names, sets: tokens[assigns] === "=", value };
}

/** The value, which its variable has from then on. */
const valueToKeep =
  ({ names: [name], sets, value }: GoPipeline): GoValue =>
  (state, dot) => {
    const result = value(state, dot);
    if (name === undefined) return result;
    const scope = sets ? state.scopes.findLast((one) => one.has(name)) : state.scopes.at(-1);
    scope?.set(name, result);
    return result;
  };

/** `function`: the name of one, which is called with what stands behind it. */
type GoOperand = { function?: string; value: GoValue };
type TokenReading = { tokens: readonly string[]; at: number };

/** Each command has the value of the one before it as its last argument. */
function commandsOf(reading: TokenReading): GoValue {
  const commands: GoOperand[][] = [[]];
  for (; reading.at < reading.tokens.length && reading.tokens[reading.at] !== ")"; reading.at += 1) {
    const word = reading.tokens[reading.at] ?? "";
    if (word === "|") commands.push([]);
    else commands.at(-1)?.push(word === "(" ? bracketOf(reading) : operandOf(word));
  }
  return (state, dot) =>
    commands.reduce<unknown>((before, [head, ...rest], index) => {
      if (!head) throw new Error("A command is empty.");
      if (head.function === undefined) return head.value(state, dot);
      const given = rest.map(
        ({ value }) =>
          () =>
            value(state, dot),
      );
      return call(head.function, index > 0 ? [...given, () => before] : given);
    }, undefined);
}

/** What stands in brackets, and a field of it: `(index .Messages 0).Role`. */
function bracketOf(reading: TokenReading): GoOperand {
  reading.at += 1;
  const value = commandsOf(reading);
  if (reading.tokens[reading.at] !== ")") throw new Error("A bracket does not close.");
  const next = reading.tokens[reading.at + 1] ?? "";
  if (!/^\.\w/.test(next)) return { value };
  reading.at += 1;
  return fieldsOf(value, next);
}

function operandOf(word: string): GoOperand {
  if (/^["`']/.test(word)) return { value: () => stringOf(word) };
  if (/^-?\d/.test(word)) return { value: () => Number(word) };
  if (word === "true" || word === "false") return { value: () => word === "true" };
  if (word === "nil") return { value: () => null };
  const [head = ""] = word.split(".");
  if (head === "") return fieldsOf((_, dot) => dot, word);
  if (!head.startsWith("$")) return { function: word, value: () => call(word, []) };
  return fieldsOf(({ scopes }) => scopes.findLast((scope) => scope.has(head))?.get(head), word);
}

/** A value's fields, as they are named behind its first point. */
function fieldsOf(of: GoValue, word: string): GoOperand {
  const names = word.split(".").slice(1);
  const value: GoValue = (state, dot) =>
    names
      .filter((name) => name !== "")
      .reduce(
        (from, name) => (isObject(from) && Object.hasOwn(from, name) ? from[name] : undefined),
        of(state, dot),
      );
  return { value };
}

function stringOf(word: string): string {
  const inner = word.slice(1, -1);
  if (word.startsWith("`")) return inner;
  const parsed: unknown = JSON.parse(`"${inner.replaceAll(/\\'/g, "'").replaceAll("\n", "\\n")}"`);
  return String(parsed);
}
