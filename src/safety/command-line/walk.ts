/** Traces a parsed command line as bash would run it: which programs, with what words, on what input. Runs nothing. */

import type { Input } from "../dangers/effect.ts";
import { isEndless, isWithoutPause } from "./endless.ts";
import { arithmetic, expandWhole, expandWords } from "./expand.ts";
import { invoke, tellStreams } from "./meaning.ts";
import { countOpeners } from "./openers.ts";
import { parseShell, standIn, type ParsedScript } from "./parse.ts";
import type * as syntax from "./parse.ts";
import { redirect } from "./redirections.ts";
import { doubt, takeStep } from "./report.ts";
import {
  descriptorPath,
  freeDescriptor,
  listFiles,
  merge,
  type Output,
  setVariable,
  type Shell,
  silent,
  type Sink,
  subshell,
  hasSameVariables,
  setOtherwise,
} from "./shell.ts";
import { otherShells, simpleCommand } from "./simple.ts";
import {
  evaluate,
  type Follow,
  inputOf,
  noInput,
  openPipeline,
  sinkOf,
  tellLoaded,
  type Walk,
} from "./walking.ts";
import {
  type Flow,
  isLiteral,
  flowsOf,
  literal,
  noFlows,
  unknown,
  unknownWord,
  withText,
  type Word,
} from "./word.ts";

export const follow: Follow = {
  script: (script, walk) => walkScript(script, walk),
  text: (code, walk) => walkText(code, walk),
  body: (body, walk) => walkNode(body, { ...walk, isPlaced: false }),
  words: (words, walk) => invoke(words, { variables: [], isPlain: false }, walk),
};

const maxDepth = 24;

/** Traces text as shell code; unknown parts stay unknown. */
function walkText(code: Word, walk: Walk): Output {
  if (walk.depth >= maxDepth) {
    doubt(walk.report, "critical", "its scripts are nested too deeply to be understood");
    return silent;
  }
  const text = code.text.replaceAll(unknown, standIn);
  const parsed = parseShell(text);
  const isWhole = parsed.ok && parsed.value.openers >= countOpeners(text);
  if (!isWhole) {
    const problem = parsed.ok ? "it runs commands that were not found in it" : parsed.problem;
    doubt(walk.report, "high", `a script in it: ${problem}`);
    walk.report.untrusted.push(code.text);
  }
  if (!parsed.ok) return { text: undefined, flows: noFlows };
  walk.report.found.push(...parsed.value.nested);
  return walkScript(parsed.value.script, { ...walk, depth: walk.depth + 1, isPlaced: false });
}

function walkScript(script: ParsedScript, walk: Walk): Output {
  walk.report.entered.add(script);
  return walkAll(script.commands, walk);
}

function walkAll(statements: readonly syntax.Statement[], walk: Walk): Output {
  return together(
    statements.map((statement) => {
      if (!statement.background) return walkNode(statement.command, walk);
      return walkNode(statement.command, { ...walk, shell: subshell(walk.shell), isConcurrent: true });
    }),
  );
}

/** The joined output of commands that run one after another. */
function together(outputs: readonly Output[]): Output {
  const [only, second] = outputs;
  if (only && !second) return only;
  const flows = new Set<Flow>(outputs.flatMap((output) => [...output.flows]));
  const texts = outputs.map(({ text }) => text);
  const isKnown = texts.every((text) => text !== undefined);
  const text = texts.map((one) => one?.text ?? "").join("");
  return {
    text: isKnown ? { text, isPattern: false, mayBeSeveral: true, carries: flows } : undefined,
    flows,
  };
}

type Node = syntax.Statement["command"] | syntax.CompoundList;

function walkNode(node: Node, around: Walk): Output {
  if (!takeStep(around.report)) return silent;
  const here = around.isPlaced ? { ...around, range: { from: node.pos, to: node.end } } : around;
  const walk = withInput(here);
  switch (node.type) {
    case "Command":
      return simpleCommand(node, walk);
    case "Pipeline":
      return pipeline(node, walk);
    case "AndOr":
      return chain(node, walk);
    case "CompoundList":
      return walkAll(node.commands, walk);
    case "BraceGroup":
      return walkNode(node.body, walk);
    case "Subshell":
      return walkNode(node.body, { ...walk, shell: subshell(walk.shell) });
    case "Redirected":
      return walkRedirected(node, walk);
    case "Function":
      walk.shell.functions.set(node.name.value, node.body);
      walk.report.uncalled.set(node.name.value, node.body);
      return silent;
    case "Coproc":
      return coprocess(node, walk);
    default:
      return compound(node, walk);
  }
}

/** Its two descriptors are in an array: the shell reads its output from the first, and writes to the second. */
function coprocess({ name, body }: syntax.Coproc, walk: Walk): Output {
  const { shell } = walk;
  const run = (input: Input): Output =>
    walkNode(body, { ...walk, shell: subshell(shell), isConcurrent: true, input });
  const output = run(noInput);
  const ends = [freeDescriptor(shell), freeDescriptor(shell) + 1];
  setVariable(
    shell,
    name?.value ?? "COPROC",
    ends.map((end) => literal(String(end))),
  );
  const [from = "", to = ""] = ends.map(descriptorPath);
  shell.files.set(from, { text: undefined, flows: output.flows });
  const feed: Sink = (given) => void run(inputOf(given));
  shell.sinks.set(to, sinkOf(feed));
  return output;
}

/** Applies the input that `exec < file` has set. */
function withInput(walk: Walk): Walk {
  let { input } = walk;
  for (let left = walk.shell.inputs.size; left > 0; left -= 1) input = walk.shell.inputs.get(input) ?? input;
  return input === walk.input ? walk : { ...walk, input };
}

/** `a && b || c`: traced as if all of it ran; the values of variables if it stops earlier become alternatives. */
function chain({ commands, operators }: syntax.AndOr, walk: Walk): Output {
  const { variables, otherwise } = walk.shell;
  const before = new Map(otherwise);
  const ends: ReadonlyMap<string, readonly Word[]>[] = [];
  const outputs = commands.map((command, at) => {
    const output = walkNode(command, walk);
    const mayEnd = operators[at] !== undefined && !(operators[at] === "&&" && cannotFail(command));
    if (mayEnd && ends.length < mostEnds) ends.push(new Map(variables));
    return output;
  });
  const last = commands.at(-1);
  if (operators.at(-1) === "||" && last && isLeaving(last)) return together(outputs);
  if (ends.length === mostEnds) doubt(walk.report, "high", "it has more conditions than can be followed");
  for (const [name, words] of variables) {
    const others = ends.map((end) => end.get(name)).filter((other) => other !== words);
    if (others.length > 0)
      setOtherwise(walk.shell, name, [
        ...others,
        ...(before.get(name) ?? []),
        ...(otherwise.get(name) ?? []),
      ]);
  }
  return together(outputs);
}

/** A chain with more ends is not understood. */
const mostEnds = 64;

/** Whether the command always succeeds: it only sets variables or prints, without command substitutions. */
const cannotFail = (node: Node): boolean =>
  node.type === "Command" &&
  node.redirects.length === 0 &&
  (node.name === undefined || /^(?::|true|export|echo)$/u.test(node.name.value)) &&
  ![...node.prefix, ...node.args].some((item) => "text" in item && /\$\(|`/u.test(item.text));

const isLeaving = (node: Node): boolean =>
  node.type === "Command" && /^(?:exit|return|break|continue)$/u.test(node.name?.value ?? "");

function pipeline({ commands }: syntax.Pipeline, walk: Walk): Output {
  const [only] = commands;
  if (only && commands.length === 1) return walkNode(only, walk);
  const shared = openPipeline();
  let input = walk.input;
  let output = silent;
  for (const command of commands) {
    output = walkNode(command, {
      ...walk,
      shell: subshell(walk.shell),
      input,
      isConcurrent: true,
      pipeline: shared,
    });
    const range = walk.isPlaced ? { from: (only ?? command).pos, to: command.end } : walk.range;
    input = { ...inputOf(output), range };
  }
  if (shared.interpretsInput && shared.usesNetwork)
    doubt(walk.report, "critical", "it joins a shell to the network", walk.range);
  return output;
}

function walkRedirected({ command, redirects }: syntax.Redirected, walk: Walk): Output {
  const streams = redirect(redirects, walk);
  const output = walkNode(command, { ...walk, input: streams.input });
  tellStreams(streams, walk);
  return streams.finish(output);
}

type Compound = Exclude<syntax.CompoundCommand, syntax.BraceGroup | syntax.Subshell>;

function compound(node: Compound, walk: Walk): Output {
  switch (node.type) {
    case "If":
      return conditional(node, walk);
    case "While":
      return loop(node, walk);
    case "For":
    case "Select":
      return forEach(node, walk);
    case "Case":
      return cases(node, walk);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) if (part) arithmetic(part, walk);
      if (node.test) return walkNode(node.body, walk);
      if (startsMore(node.body)) doubt(walk.report, "critical", endless, walk.range);
      return isWithoutPause(node.body)
        ? unending(walkNode(node.body, { ...walk, isEndless: true }))
        : walkNode(node.body, walk);
    case "ArithmeticCommand":
      if (node.expression) arithmetic(node.expression, walk);
      return silent;
    case "TestCommand":
      test(node.expression, walk);
      return silent;
    default:
      return node satisfies never;
  }
}

/** Each branch starts from the current state of the shell; which one runs is unknown. */
function branches(nodes: readonly Node[], walk: Walk): Output {
  const shells = nodes.map(() => subshell(walk.shell));
  const outputs = nodes.map((node, at) => walkNode(node, { ...walk, shell: shells[at] ?? walk.shell }));
  merge(walk.shell, shells);
  return { text: undefined, flows: together(outputs).flows };
}

const nothing: syntax.CompoundList = { type: "CompoundList", pos: 0, end: 0, commands: [] };

function conditional({ clause, then, elif, else: otherwise }: syntax.If, walk: Walk): Output {
  const asked = walkNode(clause, walk);
  for (const { clause: further } of elif) walkNode(further, walk);
  const ran = branches([then, ...elif.map((one) => one.then), otherwise ?? nothing], walk);
  return { text: undefined, flows: together([asked, ran]).flows };
}

function loop({ kind, clause, body }: syntax.While, walk: Walk): Output {
  const lines = linesRead(clause, walk);
  if (lines) return together(lines.map((input) => round({ clause, body }, { ...walk, input })));
  if (isEndless(kind, clause) && startsMore(body)) doubt(walk.report, "critical", endless, walk.range);
  const before = subshell(walk.shell);
  const isUnending = isEndless(kind, clause) && isWithoutPause(body);
  const within = isUnending ? { ...walk, isEndless: true } : walk;
  // A second round may act on what the first one has set. If it has set the same, so do all that follow.
  const first = round({ clause, body }, within);
  const afterFirst = subshell(walk.shell);
  const rounds = [first, round({ clause, body }, within)];
  if (!hasSameVariables(walk.shell, afterFirst)) forgetChanges(walk.shell, before);
  const { flows } = together(rounds);
  return isUnending ? unending({ text: undefined, flows }) : { text: undefined, flows };
}

/** What a loop prints that never ends; a loop that prints nothing has an empty text. */
const unending = ({ text, flows }: Output): Output => ({
  text: undefined,
  flows: text?.text === "" ? flows : new Set([...flows, "endless" as const]),
});

/** The number of rounds is unknown, and so are the variables that they changed; any may have got what one carries. */
function forgetChanges(shell: Shell, before: Shell): void {
  const changed = [...shell.variables].filter(([name, words]) => words !== before.variables.get(name));
  const flows = flowsOf(
    changed.flatMap(([name, words]) =>
      [words, ...(shell.otherwise.get(name) ?? [])].flatMap((one) => one ?? []),
    ),
  );
  for (const [name] of changed) setVariable(shell, name, [unknownWord(flows)]);
}

function round({ clause, body }: Pick<syntax.While, "clause" | "body">, walk: Walk): Output {
  walkNode(clause, walk);
  return branches([body, nothing], walk);
}

/** `while read x` over a known text is traced line by line. */
function linesRead({ commands }: syntax.CompoundList, { input }: Walk): Input[] | undefined {
  const asked = commands[0]?.command;
  if (asked?.type !== "Command" || asked.name?.value !== "read" || !input.text) return undefined;
  const { text } = input;
  const lines = text.text.split("\n").filter((line) => line !== "");
  if (lines.length < 2 || lines.length > mostRounds) return undefined;
  return lines.map((line) => ({ ...input, text: withText(text, line) }));
}

const endless = "it starts processes without end";

/** Whether the rounds start processes without waiting for any. */
function startsMore({ commands }: syntax.CompoundList): boolean {
  const waits = commands.some(
    ({ command, background }) =>
      background !== true &&
      command.type === "Command" &&
      /^(?:sleep|wait|break|exit|read)$/u.test(command.name?.value ?? ""),
  );
  return !waits && commands.some(({ command, background }) => background === true || leavesRunning(command));
}

const leavesRunning = (command: syntax.Statement["command"]): boolean =>
  (command.type === "Subshell" || command.type === "BraceGroup") &&
  command.body.commands.some(({ background }) => background === true);

/** The most words or lines for which a loop is traced one by one. */
const mostRounds = 16;

function forEach(node: syntax.For | syntax.Select, walk: Walk): Output {
  const { name, wordlist, body } = node;
  const shells = [walk.shell, ...otherShells(wordlist ?? [], walk.shell)];
  const words = wordlist
    ? shells.flatMap((shell) => expandWords(wordlist, { ...walk, shell }))
    : (walk.shell.positional ?? [unknownWord()]);
  tellLoaded(words, walk);
  listFiles(walk.shell, words);
  if (node.type === "Select") setVariable(walk.shell, "REPLY", [unknownWord(new Set(["input"]))]);
  const rounds = words.slice(0, mostRounds).flatMap((word) => (isLiteral(word) ? [word] : [word, word]));
  const outputs = rounds.map((word) => {
    setVariable(walk.shell, name.value, [word]);
    return walkNode(body, walk);
  });
  if (words.length > mostRounds) {
    setVariable(walk.shell, name.value, [unknownWord()]);
    outputs.push(walkNode(body, walk));
  }
  return together(outputs.length > 0 ? outputs : [silent]);
}

function cases({ word, items }: syntax.Case, walk: Walk): Output {
  expandWhole(word, walk);
  for (const { pattern } of items) for (const one of pattern) expandWhole(one, walk);
  const isOneSure = items.some(({ pattern }) => pattern.some(({ text }) => text === "*"));
  return branches([...items.map(({ body }) => body), ...(isOneSure ? [] : [nothing])], walk);
}

const evaluating = new Set(["-v", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-R"]);

function test(expression: syntax.TestExpression, walk: Walk): void {
  switch (expression.type) {
    case "TestUnary": {
      const operand = expandWhole(expression.operand, walk);
      if (evaluating.has(expression.operator)) evaluate(operand, walk);
      return undefined;
    }
    case "TestBinary": {
      const sides = [expandWhole(expression.left, walk), expandWhole(expression.right, walk)];
      if (evaluating.has(expression.operator)) for (const side of sides) evaluate(side, walk);
      return undefined;
    }
    case "TestLogical":
      for (const operand of expression.operands) test(operand, walk);
      return undefined;
    case "TestNot":
      return test(expression.operand, walk);
    case "TestGroup":
      return test(expression.expression, walk);
    default:
      return expression satisfies never;
  }
}
