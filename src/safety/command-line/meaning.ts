/** One use of a program: who it is, what its row tells, and what that comes to. */
import type { Effect, Variable } from "../dangers/effect.ts";
import { isPlainGit, isReadingGit } from "../dangers/git/plain.ts";
import { findProgram, programsLike } from "../dangers/index.ts";
import type { Program } from "../dangers/program.ts";
import { useOf } from "../dangers/use.ts";
import { variableEffects } from "../dangers/variables.ts";
import { fileFinding } from "../judge/file-findings.ts";
import { runsFlow } from "../judge/flow-findings.ts";
import { placeOf } from "../judge/place.ts";
import { type Draft, note, openDraft, outputOf, partOf } from "./draft.ts";
import { applyEffects, keepMade, touch } from "./effects.ts";
import { doubt, mostWords, takeStep } from "./report.ts";
import { absolutePath, aroundOf, madeAt, type Output, setVariable, silent, subshell } from "./shell.ts";
import { followBuiltin } from "./state.ts";
import type { Streams } from "./redirections.ts";
import type { Walk } from "./walking.ts";
import { isLiteral, isUnknown, literal, type Word } from "./word.ts";

export type Invocation = { variables: readonly Variable[]; streams?: Streams; isPlain: boolean };

export function invoke(
  words: readonly Word[],
  { variables, streams, isPlain }: Invocation,
  walk: Walk,
): Output {
  if (!takeStep(walk.report)) return silent;
  const [first] = words;
  if (!first) return silent;
  if (words.length > mostWords) {
    doubt(walk.report, "critical", "it has more words than can be looked at");
    return silent;
  }
  const here = streams ? { ...walk, input: streams.input } : walk;
  const body = isLiteral(first) ? walk.shell.functions.get(first.text) : undefined;
  if (body) return callFunction(first.text, words.slice(1), { ...here, isPlain: false });
  const draft = openDraft(words, variables, withVariables(here, variables));
  for (const variable of variables) applyEffects(variableEffects(variable), draft, runWords);
  const row = understand(draft, variables, here);
  for (const effect of streams?.effects ?? []) touchStream(effect, draft);
  finish(draft, row);
  const isBare = (streams?.effects.length ?? 0) === 0;
  walk.report.parts.push(partOf(draft, { isPlain: isPlain && isBare, row }));
  return outputOf(draft);
}

/** What stands in front of a command is known to what it runs, and to nothing after it. */
function withVariables(walk: Walk, variables: readonly Variable[]): Walk {
  if (variables.length === 0) return walk;
  const shell = subshell(walk.shell);
  for (const { name, value } of variables) setVariable(shell, name, [value]);
  return { ...walk, shell };
}

/** Redirections of a group of commands, or of none: `> file`. */
export function tellStreams({ effects }: Streams, walk: Walk): void {
  if (effects.length === 0) return;
  const draft = openDraft([], [], walk);
  for (const effect of effects) touchStream(effect, draft);
  const path = effects.map((effect) => ("path" in effect ? effect.path.text : "")).join(" ");
  walk.report.parts.push(
    partOf({ ...draft, words: [literal(`> ${path}`)] }, { isPlain: false, row: undefined }),
  );
}

/** Assignments without a command. */
export function tellVariables(variables: readonly Variable[], walk: Walk): void {
  const draft = openDraft([], variables, walk);
  for (const variable of variables) applyEffects(variableEffects(variable), draft, runWords);
  if (draft.findings.length > 0) walk.report.parts.push(partOf(draft, { isPlain: false, row: undefined }));
}

/** Words as a command of its own. */
export const runWords = (words: readonly Word[], walk: Walk): Output =>
  invoke(words, { variables: [], isPlain: false }, walk);

function touchStream(effect: Effect, draft: Draft): void {
  if (effect.type === "reads" || effect.type === "writes") touch(effect, { ...draft, made: [] });
}

/** Tells what the program does. Its row, where it has one. */
function understand(draft: Draft, variables: readonly Variable[], here: Walk): Program | undefined {
  const { words, walk } = draft;
  const [first = literal(""), ...rest] = words;
  const flow = isUnknown(first) ? runsFlow(first.carries) : undefined;
  if (flow) note(draft, flow);
  if (isUnknown(first))
    return void unknownProgram(draft, "the name of the program is only known when it runs");
  if (first.isPattern && /[*?[]/u.test(first.text)) return void patternProgram(draft);
  const name = first.text.slice(first.text.lastIndexOf("/") + 1);
  const row = programAt(first, draft);
  if (!row) return undefined;
  const { input, shell } = walk;
  followBuiltin(name, rest, { shell: here.shell, input });
  const use = useOf(row, { name, words: rest, variables, input, around: aroundOf(shell) });
  if (row.kind === "builds") walk.report.doesMore = true;
  if (isPlainGit(use)) walk.report.plainGit += 1;
  if (use.name === "git" && !isReadingGit(use)) walk.report.doesMore = true;
  applyEffects([...row.does(use)], draft, runWords);
  if (draft.text === undefined && passesOn.has(name) && rest.length === 0) draft.text = input.text;
  return row;
}

const passesOn = new Set(["cat", "tee"]);

/** The row of a program, unless it is a file that only bears its name. */
function programAt(word: Word, draft: Draft): Program | undefined {
  const { walk } = draft;
  const path = word.text.includes("/") ? absolutePath(word.text, walk.shell.directory) : undefined;
  const known = madeAt(walk.shell, path);
  if (known) return void applyEffects([{ type: "loads", path: word, language: "shell" }], draft, runWords);
  const row = findProgram(word.text);
  if (path === undefined)
    return (
      row ?? void (isAskedForItself(draft) || unknownProgram(draft, "Toolwright does not know this program"))
    );
  const { kind } = placeOf(path, aroundOf(walk.shell));
  const isInstalled =
    kind === "system" ||
    /\/(?:node_modules\/\.bin|\.venv\/bin|venv\/bin|\.cargo\/bin|go\/bin|\.local\/bin|\.nvm\/[^ ]*\/bin|\.pyenv\/shims|linuxbrew\/[^ ]*bin|\.bun\/bin|\.deno\/bin)\//u.test(
      path,
    ) ||
    path.startsWith("/opt/");
  if (row && isInstalled) return row;
  if (isInstalled && kind !== "in-workspace")
    return (
      row ?? void (isAskedForItself(draft) || unknownProgram(draft, "Toolwright does not know this program"))
    );
  applyEffects([{ type: "loads", path: word, language: "shell" }], draft, runWords);
  // A file of the workspace may bear any name, and do what it likes; what a known one would do it may do too.
  return row;
}

/** `x --version`: every program tells that and ends. */
const isAskedForItself = ({ words }: Draft): boolean =>
  words.length === 2 && /^(?:--version|--help|-V|version|help|-h|-\?)$/u.test(words[1]?.text ?? "");

function unknownProgram(draft: Draft, because: string): void {
  draft.walk.report.doesMore = true;
  note(draft, { severity: "high", because });
  worstCase(draft);
}

/** A program that nobody knows, with options to go deep, on a place that must not be lost. */
function worstCase(draft: Draft): void {
  const [, ...rest] = draft.words;
  const goesDeep = rest.some(
    (word) => /^-[a-zA-Z]*[rR]|^--recursive/u.test(word.text) || (isUnknown(word) && word.mayBeSeveral),
  );
  if (!goesDeep) return;
  for (const path of rest.filter(({ text }) => !text.startsWith("-"))) {
    const place = placeOf(path.text, aroundOf(draft.walk.shell));
    const found = fileFinding({ type: "deletes", path, deep: true }, place);
    if (found?.severity === "critical")
      note(draft, {
        severity: "critical",
        because: `an unknown program with such options is run on ${place.shown}`,
      });
  }
}

/** `/bin/r?`: it may be any of the programs that the pattern fits. */
function patternProgram(draft: Draft): void {
  const [first = literal(""), ...words] = draft.words;
  const { shell, input } = draft.walk;
  for (const { name, row } of programsLike(first.text.slice(first.text.lastIndexOf("/") + 1)))
    applyEffects(
      [...row.does(useOf(row, { name, words, variables: [], input, around: aroundOf(shell) }))],
      draft,
      runWords,
    );
  unknownProgram(draft, "which program it is depends on the files that are there");
}

/** By default what a program prints carries what it was given. */
function finish(draft: Draft, row: Program | undefined): void {
  const { words, walk, flows } = draft;
  for (const flow of walk.input.flows) flows.add(flow);
  for (const word of words) for (const flow of word.carries) flows.add(flow);
  // What a build makes out of the workspace is no less trusted than the workspace.
  if (row?.kind !== "builds" || runsFlow(flows)) keepMade(draft);
}

function callFunction(name: string, words: readonly Word[], walk: Walk): Output {
  const body = walk.shell.functions.get(name);
  walk.report.uncalled.delete(name);
  if (walk.calling.includes(name)) {
    if (walk.isConcurrent) doubt(walk.report, "critical", "it starts itself again without end (a fork bomb)");
    return silent;
  }
  if (!body) return silent;
  const { positional } = walk.shell;
  walk.shell.positional = words;
  const output = walk.follow.body(body, { ...walk, calling: [...walk.calling, name] });
  walk.shell.positional = positional;
  return output;
}
