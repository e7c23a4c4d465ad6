/** Redirections: where a command's input comes from, and which files its output makes. */
import type { Effect, Input } from "../dangers/effect.ts";
import { flowsOfPlace, placeOf } from "../judge/place.ts";
import { expandParts, expandWhole } from "./expand.ts";
import type { Expansion } from "./expansion.ts";
import type * as syntax from "./parse.ts";
import { absolutePath, aroundOf, madeAt, type Output, silent } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { joined, literal, noFlows, type Word } from "./word.ts";

export type Streams = {
  readonly input: Input;
  /** Effects of the files that are opened, as they stand. */
  readonly effects: readonly Effect[];
  /** Its output goes to a file: what is left of it is nothing. */
  readonly isCaptured: boolean;
  /** Descriptors that lead to another host; `exec` keeps them open. */
  readonly connections: readonly number[];
  /** Remembers what was written, and gives what still reaches the standard output. */
  finish(output: Output): Output;
};

export function redirect(
  redirections: readonly syntax.Redirection[],
  expansion: Expansion,
  walk: Walk,
): Streams {
  const opened: Opened = { input: walk.input, effects: [], targets: [], toNetwork: false, connections: [] };
  for (const redirection of redirections) open(opened, redirection, { expansion, walk });
  const isCaptured = opened.targets.length > 0;
  const { input } = opened;
  return {
    input: opened.toNetwork
      ? { text: undefined, flows: new Set([...input.flows, "network" as const]), isGiven: true }
      : input,
    effects: opened.effects,
    connections: opened.connections,
    isCaptured,
    finish(output) {
      for (const target of opened.targets) {
        const path = absolutePath(target.text, walk.shell.directory);
        if (path !== undefined) walk.shell.files.set(path, output);
      }
      return isCaptured ? silent : output;
    },
  };
}

type Opened = {
  input: Input;
  effects: Effect[];
  targets: Word[];
  toNetwork: boolean;
  connections: number[];
};
type Opening = { expansion: Expansion; walk: Walk };

function open(opened: Opened, redirection: syntax.Redirection, { expansion, walk }: Opening): void {
  if (redirection.type === "HereDoc") {
    const { body } = redirection;
    const isRaw = redirection.delimiter?.quoted === true;
    const plain = literal(isRaw ? body.text : withoutEscapes(body.text));
    const text = isRaw || !body.parts ? plain : expandParts(body.parts, expansion);
    opened.input = { text, flows: text.carries, isGiven: true };
    return;
  }
  if (!redirection.target) return;
  const target = expandWhole(redirection.target, expansion);
  if (redirection.type === "HereString") {
    opened.input = { text: joined([target, literal("\n")]), flows: target.carries, isGiven: true };
    return;
  }
  openFile(opened, { operator: redirection.operator, target, descriptor: descriptorOf(redirection) }, walk);
}

const withoutEscapes = (text: string): string => text.replaceAll(/\\(?:\n|([$`\\]))/gu, "$1");

const descriptorOf = ({ descriptor }: syntax.Redirect): number | undefined =>
  descriptor?.type === "FileDescriptor" ? descriptor.value : undefined;

type Target = { operator: syntax.RedirectOperator; target: Word; descriptor: number | undefined };

function openFile(opened: Opened, { operator, target, descriptor }: Target, { shell }: Walk): void {
  const isDuplicate = /^(?:\d+-?|-)$/u.test(target.text);
  if ((operator === "<&" || operator === ">&") && isDuplicate) {
    if (shell.connections.has(Number.parseInt(target.text, 10))) opened.toNetwork = true;
    const known = shell.files.get(`/dev/fd/${target.text}`);
    if (operator === "<&" && known && (descriptor ?? 0) === 0) opened.input = { ...known, isGiven: true };
    return;
  }
  if (/^\/dev\/(?:tcp|udp)\//u.test(target.text)) {
    opened.toNetwork = true;
    if (descriptor !== undefined) opened.connections.push(descriptor);
  }
  if (operator === "<") {
    opened.effects.push({ type: "reads", path: target });
    const input = inputFrom(target, shell);
    if (descriptor === undefined || descriptor === 0) opened.input = input;
    else shell.files.set(`/dev/fd/${descriptor}`, input);
    return;
  }
  if (operator === "<>") opened.effects.push({ type: "reads", path: target });
  const appends = operator === ">>" || operator === "&>>";
  opened.effects.push({ type: "writes", path: target, how: appends ? "appends" : "replaces" });
  if (descriptor === undefined || descriptor === 1) opened.targets.push(target);
}

/** What this line wrote itself is known; of other files, what lies where they do. */
function inputFrom(target: Word, shell: Walk["shell"]): Input {
  if (target.text === "/dev/null") return { text: literal(""), flows: noFlows, isGiven: true };
  const known = madeAt(shell, absolutePath(target.text, shell.directory));
  const flows = flowsOfPlace(placeOf(target.text, aroundOf(shell)));
  return {
    text: known?.text,
    flows: new Set([...target.carries, ...flows, ...(known?.flows ?? [])]),
    isGiven: true,
    ...(known ? {} : { from: target }),
  };
}
