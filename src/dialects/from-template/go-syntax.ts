/** Reads a template of Go's text/template, as Ollama has them, into a tree. */

export type GoNode =
  | { type: "text"; text: string }
  | { type: "print"; pipeline: GoPipeline }
  | { type: "if" | "with"; pipeline: GoPipeline; body: GoNode[]; otherwise: GoNode[] }
  | { type: "range"; pipeline: GoPipeline; body: GoNode[]; otherwise: GoNode[] }
  | { type: "call"; name: string; pipeline: GoPipeline | undefined }
  | { type: "break" | "continue" };

/** Commands joined by `|`. `declares`: `$a, $b :=`; `sets`: `$a =`. */
export type GoPipeline = { declares: readonly string[]; sets: boolean; commands: GoOperand[][] };

export type GoOperand =
  | { type: "value"; value: string | number | boolean | null }
  | { type: "field"; of: GoOperand | undefined; names: readonly string[] }
  | { type: "variable"; name: string }
  | { type: "function"; name: string }
  | { type: "pipeline"; pipeline: GoPipeline };

export type GoTemplate = { nodes: GoNode[]; defined: ReadonlyMap<string, GoNode[]> };

type TemplatePiece = { text: string } | { action: string };
type Parsing = { pieces: TemplatePiece[]; at: number; defined: Map<string, GoNode[]> };

/** Throws an Error if it cannot be read. */
export function parseGo(source: string): GoTemplate {
  const parsing: Parsing = { pieces: piecesOf(source), at: 0, defined: new Map() };
  const nodes = parseNodes(parsing, []);
  return { nodes: nodes.nodes, defined: parsing.defined };
}

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
function parseNodes(parsing: Parsing, ends: readonly string[]): { nodes: GoNode[]; end: string } {
  const nodes: GoNode[] = [];
  while (parsing.at < parsing.pieces.length) {
    const piece = parsing.pieces[parsing.at];
    parsing.at += 1;
    if (piece === undefined) break;
    if ("text" in piece) {
      if (piece.text !== "") nodes.push({ type: "text", text: piece.text });
      continue;
    }
    const [word = ""] = /^\w+/.exec(piece.action) ?? [];
    if (ends.includes(word)) return { nodes, end: piece.action };
    nodes.push(...parseAction(parsing, word, piece.action));
  }
  if (ends.length > 0) throw new Error("A block does not end.");
  return { nodes, end: "" };
}

function parseAction(parsing: Parsing, word: string, action: string): GoNode[] {
  const rest = action.slice(word.length).trim();
  switch (word) {
    case "if":
    case "with":
    case "range":
      return [parseBlock(parsing, word, rest)];
    case "break":
    case "continue":
      return [{ type: word }];
    case "define":
    case "block":
    case "template": {
      const [name = "", ...more] = tokensOf(rest);
      const given = more.length > 0 ? pipelineOf(more) : undefined;
      if (word !== "template") parsing.defined.set(stringOf(name), parseNodes(parsing, ["end"]).nodes);
      return word === "define" ? [] : [{ type: "call", name: stringOf(name), pipeline: given }];
    }
    default:
      return action === "" || action.startsWith("/*")
        ? []
        : [{ type: "print", pipeline: pipelineOf(tokensOf(action)) }];
  }
}

function parseBlock(parsing: Parsing, type: "if" | "with" | "range", condition: string): GoNode {
  const pipeline = pipelineOf(tokensOf(condition));
  const { nodes: body, end } = parseNodes(parsing, ["else", "end"]);
  const [, nested, rest = ""] = /^else\s+(if|with)\s+([^]*)$/.exec(end) ?? [];
  if (nested === "if" || nested === "with")
    return { type, pipeline, body, otherwise: [parseBlock(parsing, nested, rest)] };
  const otherwise = end.startsWith("else") ? parseNodes(parsing, ["end"]).nodes : [];
  return { type, pipeline, body, otherwise };
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

function pipelineOf(tokens: readonly string[]): GoPipeline {
  const assigns = tokens.findIndex((one) => one === ":=" || one === "=");
  const targets = assigns < 0 ? [] : tokens.slice(0, assigns).filter((one) => one !== ",");
  const reading = { tokens: tokens.slice(assigns + 1), at: 0 };
  const commands = commandsOf(reading);
  if (reading.at < reading.tokens.length) throw new Error("A bracket does not open.");
  return { declares: targets, sets: tokens[assigns] === "=", commands };
}

type TokenReading = { tokens: readonly string[]; at: number };

function commandsOf(reading: TokenReading): GoOperand[][] {
  const commands: GoOperand[][] = [[]];
  for (; reading.at < reading.tokens.length; reading.at += 1) {
    const word = reading.tokens[reading.at] ?? "";
    if (word === ")") return commands;
    if (word === "|") commands.push([]);
    else commands.at(-1)?.push(word === "(" ? bracketOf(reading) : operandOf(word));
  }
  return commands;
}

/** What stands in brackets, and a field of it: `(index .Messages 0).Role`. */
function bracketOf(reading: TokenReading): GoOperand {
  reading.at += 1;
  const commands = commandsOf(reading);
  if (reading.tokens[reading.at] !== ")") throw new Error("A bracket does not close.");
  const inner: GoOperand = { type: "pipeline", pipeline: { declares: [], sets: false, commands } };
  const next = reading.tokens[reading.at + 1] ?? "";
  if (!/^\.\w/.test(next)) return inner;
  reading.at += 1;
  return { type: "field", of: inner, names: next.split(".").slice(1) };
}

function operandOf(word: string): GoOperand {
  if (/^["`']/.test(word)) return { type: "value", value: stringOf(word) };
  if (/^-?\d/.test(word)) return { type: "value", value: Number(word) };
  if (word === "true" || word === "false") return { type: "value", value: word === "true" };
  if (word === "nil") return { type: "value", value: null };
  const [head = "", ...names] = word.split(".");
  const fields = names.filter((name) => name !== "");
  if (head.startsWith("$")) {
    const variable: GoOperand = { type: "variable", name: head };
    return fields.length === 0 ? variable : { type: "field", of: variable, names: fields };
  }
  return head === "" ? { type: "field", of: undefined, names: fields } : { type: "function", name: word };
}

function stringOf(word: string): string {
  const inner = word.slice(1, -1);
  if (word.startsWith("`")) return inner;
  const parsed: unknown = JSON.parse(`"${inner.replaceAll(/\\'/g, "'").replaceAll("\n", "\\n")}"`);
  return String(parsed);
}
