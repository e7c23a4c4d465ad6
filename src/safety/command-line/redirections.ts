/** Redirections: where a command's input comes from, and which files its output makes. */

import type { Effect, Input } from "../dangers/effect.ts";
import { sendFinding } from "../judge/flow-findings.ts";
import { flowsOfPlace, placeOf } from "../judge/place.ts";
import { fillsDisk } from "./endless.ts";
import { expandParts, expandWhole } from "./expand.ts";
import { emptiesMany } from "./overwriting.ts";
import type * as syntax from "./parse.ts";
import { doubt } from "./report.ts";
import {
  absolutePath,
  aroundOf,
  descriptorPath,
  freeDescriptor,
  keepFile,
  madeAt,
  type Output,
  setVariable,
  type Shell,
  silent,
  type Sink,
} from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isLiteral, isUnknown, joinWords, literal, loadOf, noFlows, type Word } from "./word.ts";

export type Streams = {
  readonly input: Input;
  /** Effects of opening the files, in the order of the redirections. */
  readonly effects: readonly Effect[];
  /** What takes the data of a descriptor that leads out of the command, by path; `exec` keeps it open. */
  readonly sinks: ReadonlyMap<string, Sink>;
  /** Files that are open for writing. */
  readonly held: readonly string[];
  /** Records what was written, and returns what still reaches the standard output. */
  finish(output: Output): Output;
};

export function redirect(redirections: readonly syntax.Redirection[], walk: Walk): Streams {
  const opened: OpenStreams = {
    input: walk.input,
    effects: [],
    targets: [],
    others: [],
    isCaptured: false,
    keepsErrors: false,
    toNetwork: false,
    sinks: new Map(),
  };
  for (const redirection of redirections) open(opened, redirection, walk);
  const { input, isCaptured } = opened;
  return {
    input: opened.toNetwork
      ? { text: undefined, flows: new Set([...input.flows, "network" as const]), isGiven: true }
      : input,
    effects: opened.effects,
    sinks: opened.sinks,
    held: [...opened.targets, ...opened.others].map(({ path }) => path),
    finish(output) {
      // Which part of the output reaches another descriptor is unknown.
      for (const { path, before } of opened.others)
        keepFile(walk.shell, path, { text: undefined, flows: output.flows }, before);
      for (const { path, before } of opened.targets) keepFile(walk.shell, path, output, before);
      opened.sinks.get(ownPath)?.(output);
      const isSame = output.text !== undefined && !isUnknown(output.text);
      if (isSame && opened.targets.some(({ path, before }) => !before && walk.shell.listed.has(path)))
        doubt(walk.report, emptiesMany.severity, emptiesMany.because, walk.range);
      if (opened.targets.length > 0 && output.flows.has("endless"))
        doubt(walk.report, fillsDisk.severity, fillsDisk.because, walk.range);
      if (isCaptured && opened.keepsErrors) return { text: undefined, flows: output.flows };
      return isCaptured ? silent : output;
    },
  };
}

/** A file open for writing, by its absolute path. `before`: its previous content, if that stays. */
type OpenedFile = { path: string; before: Output | undefined };

type OpenStreams = {
  input: Input;
  effects: Effect[];
  targets: OpenedFile[];
  /** Files on descriptors other than the standard output. */
  others: OpenedFile[];
  isCaptured: boolean;
  /** `2>&1 > file`: error messages still go where the output went before. */
  keepsErrors: boolean;
  toNetwork: boolean;
  sinks: Map<string, Sink>;
};
function open(opened: OpenStreams, redirection: syntax.Redirection, walk: Walk): void {
  const descriptor = descriptorOf(redirection, walk.shell);
  if (redirection.type === "HereDoc") {
    const { body } = redirection;
    const isRaw = redirection.delimiter?.quoted === true;
    const plain = literal(isRaw ? body.text : withoutEscapes(body.text));
    const text = isRaw || !body.parts ? plain : expandParts(body.parts, walk);
    return give(opened, { text, descriptor }, walk);
  }
  if (!redirection.target) return;
  const target = expandWhole(redirection.target, walk);
  if (redirection.type === "HereString")
    return give(opened, { text: joinWords([target, literal("\n")]), descriptor }, walk);
  openFile(opened, { operator: redirection.operator, target, descriptor }, walk);
}

/** Makes text of the line itself the input. */
function give(
  opened: OpenStreams,
  { text, descriptor }: { text: Word; descriptor: number | undefined },
  { shell }: Walk,
): void {
  const input = { text, flows: new Set([...text.carries, ...loadOf(text)]), isGiven: true };
  readFrom(opened, input, { descriptor, shell });
}

type Descriptor = { descriptor: number | undefined; shell: Walk["shell"] };

function readFrom(opened: OpenStreams, input: Input, { descriptor = 0, shell }: Descriptor): void {
  if (descriptor === 0) opened.input = input;
  else shell.files.set(descriptorPath(descriptor), input);
}

const withoutEscapes = (text: string): string => text.replaceAll(/\\(?:\n|([$`\\]))/gu, "$1");

/** `{name}>file` stores the number of a free descriptor in the variable. */
function descriptorOf({ descriptor, operator }: syntax.Redirection, shell: Shell): number | undefined {
  if (descriptor?.type !== "FileDescriptorVariable") return descriptor?.value;
  const [known] = shell.variables.get(descriptor.name) ?? [];
  if (operator.endsWith("&") && known && isLiteral(known)) return Number.parseInt(known.text, 10);
  const free = freeDescriptor(shell);
  setVariable(shell, descriptor.name, [literal(String(free))]);
  return free;
}

type Target = { operator: syntax.RedirectOperator; target: Word; descriptor: number | undefined };

function openFile(
  opened: OpenStreams,
  { operator, target, descriptor }: Target,
  { shell, report, range }: Walk,
): void {
  const isDuplicate = /^(?:\d+-?|-)$/u.test(target.text);
  if ((operator === "<&" || operator === ">&") && isDuplicate) {
    if (operator === ">&" && target.text === "1" && !opened.isCaptured) opened.keepsErrors = true;
    const path = descriptorPath(Number.parseInt(target.text, 10));
    const known = shell.files.get(path);
    if (known?.flows.has("network")) opened.toNetwork = true;
    const sink = shell.sinks.get(path);
    if (sink && operator === ">&") opened.sinks.set(descriptorPath(descriptor ?? 1), sink);
    if (operator === "<&" && known) readFrom(opened, { ...known, isGiven: true }, { descriptor, shell });
    return;
  }
  if (/^\/dev\/(?:tcp|udp)\//u.test(target.text)) {
    opened.toNetwork = true;
    const path = descriptorPath(descriptor ?? (operator.startsWith("<") ? 0 : 1));
    opened.sinks.set(path, ({ flows }) => {
      const found = sendFinding({ to: target, flows, files: [] });
      if (found && (flows.has("secret") || flows.has("private")))
        doubt(report, found.severity, found.because, range);
    });
    shell.files.set(path, { text: undefined, flows: new Set(["network"]) });
  }
  const sink = shell.sinks.get(target.text.replace(/^\/proc\/self\/fd\//u, "/dev/fd/"));
  if (sink) opened.sinks.set(descriptorPath(descriptor ?? 1), sink);
  if (operator === "<") {
    opened.effects.push({ type: "reads", path: target });
    return readFrom(opened, inputFrom(target, shell), { descriptor, shell });
  }
  if (operator === "<>") opened.effects.push({ type: "reads", path: target });
  const how = operator === ">>" || operator === "&>>" ? "appends" : "replaces";
  opened.effects.push({ type: "writes", path: target, how });
  const isOutput = descriptor === undefined || descriptor === 1;
  if (isOutput && !ownOutput.test(target.text)) opened.isCaptured = true;
  const path = absolutePath(target.text, shell.directory);
  if (path === undefined || path.startsWith("/dev/")) return;
  const before = shell.files.get(path);
  (isOutput ? opened.targets : opened.others).push({ path, before: how === "appends" ? before : undefined });
  // The content is unknown until the command has ended.
  shell.files.set(path, { text: undefined, flows: before?.flows ?? noFlows });
}

const ownPath = descriptorPath(1);

const ownOutput = /^\/(?:dev\/(?:stdout|fd\/1)|proc\/self\/fd\/1)$/u;

/** The content is known if this line wrote the file; otherwise the file's place decides what it carries. */
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
