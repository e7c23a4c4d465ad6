/** Traces one use of a program: which program it is, what its table row says, and the resulting part of the line. */

import { requestsOf } from "../dangers/asking.ts";
import { onlyRequests } from "../dangers/builds/tools.ts";
import { ownProgram } from "../dangers/data/data-program.ts";
import { interprets, loads, printsVariables } from "../dangers/effect-makers.ts";
import type { Effect, Variable } from "../dangers/effect.ts";
import { isReadingGit, needsOpenGit } from "../dangers/git/plain.ts";
import { evaluatedIn, programsNamed } from "../dangers/interpreting.ts";
import type { Program } from "../dangers/program.ts";
import { onlySelects } from "../dangers/text/text.ts";
import { type Call, useOf } from "../dangers/use.ts";
import { variableEffects } from "../dangers/variables.ts";
import { fileFinding } from "../judge/file-findings.ts";
import { runsFlow } from "../judge/flow-findings.ts";
import { placeOf } from "../judge/place.ts";
import { fetchedDescription } from "./descriptions.ts";
import { type Draft, note, openDraft, outputOf, partOf } from "./draft.ts";
import { applyEffects, keepBuilt, keepMade, touch } from "./effects.ts";
import { fillsDisk, letsTooMuch, passesEndlessly } from "./endless.ts";
import { criticalCommands, maySayRun } from "./guess.ts";
import { overwritingFinding } from "./overwriting.ts";
import type { Streams } from "./redirections.ts";
import { addPart, doubt, mostWords, takeWords, type TracedUse } from "./report.ts";
import {
  aroundOf,
  exportVariable,
  type NameMeaning,
  type Output,
  type Shell,
  silent,
  subshell,
} from "./shell.ts";
import { followBuiltin } from "./state.ts";
import { tellLoaded, type Walk } from "./walking.ts";
import { commandAmong, isInstalled, nameOf, whoIs } from "./who.ts";
import { isLiteral, isUnknown, literal, type Word, withText } from "./word.ts";
import { writtenFinding } from "./written-finding.ts";

type Invocation = { variables: readonly Variable[]; streams?: Streams; isPlain: boolean };

export function invoke(
  words: readonly Word[],
  { variables, streams, isPlain }: Invocation,
  walk: Walk,
): Output {
  if (!takeWords(walk.report, words)) return silent;
  const [first] = words;
  if (!first) return silent;
  if (words.length > mostWords) {
    doubt(walk.report, "critical", "it has more words than can be looked at");
    return silent;
  }
  const here = streams ? { ...walk, input: streams.input } : walk;
  const body = isLiteral(first) ? walk.shell.functions.get(first.text) : undefined;
  if (body) return callFunction(first.text, words.slice(1), { ...here, isPlain: false });
  followAlias(words, here);
  const draft = openDraft(words, variables, withVariables(here, variables));
  for (const variable of variables) applyEffects(variableEffects(variable), draft);
  const row = understand(draft, here);
  const redirected = (streams?.effects ?? []).flatMap((effect) => touchStream(effect, draft));
  finish(draft, row, redirected);
  const isBare = (streams?.effects.length ?? 0) === 0;
  addPart(walk.report, partOf(draft, { isPlain: isPlain && isBare, row }));
  if (!walk.isGuess) walk.report.uses?.push(tracedUse(draft, row));
  return outputOf(draft);
}

function tracedUse({ words, variables, effects, walk }: Draft, row: unknown): TracedUse {
  const { shell } = walk;
  const seesAll = shell.exportsAll || /^(?:\.|source|eval)$/u.test(words[0]?.text ?? "");
  const seen = [...shell.variables].filter(([name]) => seesAll || shell.exported.has(name));
  const { from } = walk.input;
  return {
    words,
    given: [
      ...(from ? [from] : []),
      ...variables.map(({ name, value }) => withText(value, `${name}=${value.text}`)),
      ...seen.flatMap(([name, values]) => values.map((value) => withText(value, `${name}=${value.text}`))),
    ],
    directory: shell.directory,
    effects: row === undefined ? new Set() : effects,
  };
}

/** Variables set in front of a command apply to what it runs, and to nothing after it. */
function withVariables(walk: Walk, variables: readonly Variable[]): Walk {
  if (variables.length === 0) return walk;
  const shell = subshell(walk.shell);
  for (const { name, value } of variables) exportVariable(shell, name, [value]);
  return { ...walk, shell };
}

/** Applies the redirections of a group of commands, or those without a command: `> file`. */
export function tellStreams({ effects }: Streams, walk: Walk): void {
  if (effects.length === 0) return;
  const draft = openDraft([], [], walk);
  for (const effect of effects) touchStream(effect, draft);
  const path = effects.map((effect) => ("path" in effect ? effect.path.text : "")).join(" ");
  addPart(
    walk.report,
    partOf({ ...draft, words: [literal(`> ${path}`)] }, { isPlain: false, row: undefined }),
  );
}

/** Assignments without a command. */
export function tellVariables(variables: readonly Variable[], walk: Walk): void {
  const draft = openDraft([], variables, walk);
  for (const variable of variables) applyEffects(variableEffects(variable), draft);
  if (draft.findings.length > 0) addPart(walk.report, partOf(draft, { isPlain: false, row: undefined }));
}

/** Returns the files that are opened for writing. */
function touchStream(effect: Effect, draft: Draft): Draft["made"] {
  const made: Draft["made"] = [];
  if (effect.type === "reads" || effect.type === "writes") touch(effect, { ...draft, made });
  return made;
}

/** Applies what the program does, and returns its row if it has one. */
function understand(draft: Draft, here: Walk): Program | undefined {
  const row = tellKnown(draft, here);
  tellAdded(draft);
  return row;
}

/** What the workspace's own configuration says besides: on a disk of its own, since it may only make things worse. */
function tellAdded(draft: Draft): void {
  const { words, walk } = draft;
  const { shell } = walk;
  const [first = literal("")] = words;
  const row = ownProgram(shell.around.own?.workspace, first.text);
  if (!row) return;
  const apart = { ...subshell(shell), files: new Map(shell.files), sinks: new Map(shell.sinks) };
  const added: Draft = {
    ...draft,
    effects: new Set(),
    made: [],
    sources: [],
    walk: { ...walk, shell: apart },
  };
  applyEffects([...row.does(useOf(row, callOf(nameOf(first), draft)))], added);
  draft.usesNetwork ||= added.usesNetwork;
}

function tellKnown(draft: Draft, here: Walk): Program | undefined {
  const { words, walk } = draft;
  const who = whoIs(words, walk.shell);
  switch (who.type) {
    case "program":
      tellRow(who.row, draft, here);
      return who.row;
    case "file":
      loadFile(draft);
      // A file may have any name and do anything, including what the known program of that name does.
      if (who.row) tellRow(who.row, draft, here);
      return who.row;
    case "one-of":
      for (const { name, row } of who.rows)
        applyEffects([...row.does(useOf(row, callOf(name, draft)))], draft);
      unknownProgram(draft, "which program it is depends on the files that are there");
      return undefined;
    case "unknown":
      unknownProgram(draft, who.because);
      return undefined;
    case "asked-for-itself":
      return undefined;
    default:
      return who satisfies never;
  }
}

function loadFile(draft: Draft): void {
  const [path] = draft.words;
  draft.walk.report.doesMore = true;
  if (path) applyEffects([{ type: "loads", path, language: "shell" }], draft);
}

function callOf(name: string, { words, variables, walk }: Draft): Call {
  return { name, words: words.slice(1), variables, input: walk.input, around: aroundOf(walk.shell) };
}

function tellRow(row: Program, draft: Draft, here: Walk): void {
  const { words, walk } = draft;
  const [first = literal(""), ...rest] = words;
  const name = nameOf(first);
  const use = useOf(row, callOf(name, draft));
  followBuiltin(use, here.shell);
  if (row.kind === "builds" && !onlyRequests(name, rest)) walk.report.doesMore = true;
  if (use.name === "git" && !isReadingGit(use)) {
    walk.report.doesMore = true;
    if (needsOpenGit(use)) walk.report.usesOpenGit = true;
  }
  draft.requests = requestsOf(use);
  const effects = [...row.does(use)];
  applyEffects(
    effects.map((effect) => withCommand(effect, walk.shell)),
    draft,
  );
  if (row.kind === "builds" && !onlyRequests(name, rest)) note(draft, fetchedDescription(walk.shell));
  if (row.kind === "builds" || maySayRun(rest)) note(draft, writtenFinding(walk));
  const runsOthers = effects.some(
    (effect) => (effect.type === "runs" && effect.isAmong !== true) || effect.type === "interprets",
  );
  if (row.kind === "builds" || (!runsOthers && (row.kind === "wrapper" || maySayRun(rest))))
    applyEffects(criticalCommands(rest, walk, row.kind !== "builds"), draft);
  tellUnlisted(row, effects, draft);
  if (/^(?::|true)$/u.test(name)) draft.text ??= literal("");
  const { text } = walk.input;
  const passesOn = (passing.has(name) && rest.length === 0) || (text?.isPattern === true && onlySelects(use));
  if (passesOn) draft.text ??= text;
}

/** A command among other words; without any, a shell reads the input. */
function withCommand(effect: Effect, shell: Shell): Effect {
  if (effect.type !== "runs" || effect.isAmong !== true) return effect;
  const words = commandAmong(effect.words, shell);
  return words.length > 0 ? { ...effect, words } : { type: "interprets-input", language: "shell" };
}

const passing = new Set(["cat", "tee"]);

/** What options and verbs mean by their names, whatever the program is. */
function tellUnlisted(row: Program, effects: readonly Effect[], draft: Draft): void {
  const [, ...rest] = draft.words;
  for (const word of rest) {
    const [, library] =
      /^-[\w-]*(?:plugin|load|module|extension|library)[\w-]*=(.+\.(?:so|dylib|dll)[\d.]*)$/u.exec(
        word.text,
      ) ?? [];
    if (library !== undefined) applyEffects([loads(withText(word, library))], draft);
    if (row.kind === "builds" && /^--(?:[a-z]+-)*privileged(?:=true)?$/u.test(word.text))
      note(draft, { severity: "high", because: "its containers may do on this machine whatever they want" });
    if (word.text === "show-environment" || word.text === "showenv") applyEffects([printsVariables], draft);
  }
  const builds = row.kind === "builds" || effects.some((effect) => "isBuilt" in effect && effect.isBuilt);
  for (const path of programsNamed(rest, builds))
    if (!isInstalled(path.text, draft.walk.shell)) applyEffects([loads(path)], draft);
  const isRead = effects.some(
    (effect) => effect.type === "interprets" && !/^(?:shell|other)$/u.test(effect.language),
  );
  if (row.kind === undefined || row.kind === "wrapper" || isRead) return;
  const code = evaluatedIn(rest).filter(({ text }) => /["'(]/u.test(text));
  if (code.length === 0) return;
  applyEffects(criticalCommands(code, draft.walk, true), draft);
  applyEffects(
    code.map((one) => interprets("other", one)),
    draft,
  );
}

function unknownProgram(draft: Draft, because: string): void {
  const [first] = draft.words;
  draft.walk.report.doesMore = true;
  if (first && isUnknown(first)) note(draft, runsFlow(first.carries));
  if (draft.walk.remote === "container") return; // an image brings its own programs
  note(draft, { severity: "high", because });
  if (draft.walk.isGuess) return;
  applyEffects(criticalCommands(draft.words.slice(1), draft.walk, true), draft);
  const code = evaluatedIn(draft.words)
    .filter(({ text }) => text.length <= longestCode)
    .map((one) => interprets("other", one));
  applyEffects(code, draft);
  for (const path of placesNamed(draft.words)) touch({ type: "reads", path }, draft);
  worstCase(draft);
  maySend(draft);
}

/** Words of an unknown program, or values of its options, that plainly name a place: it may do anything there. */
const placesNamed = ([, ...rest]: readonly Word[]): Word[] =>
  rest
    .map((word) =>
      withText(word, word.text.replace(/^(?:--?[\w-]+=|-[A-Za-z](?=[/~])|[\w-]+=(?=[/~.]))/u, "")),
    )
    .filter(({ text }) => /^(?:[/~]|\.\.?\/|\.\.$|\.\w)[^\s'"(){};]*$/u.test(text) && !text.startsWith("//"));

/** Longer code of an unknown program is not read: it is high in any case. */
const longestCode = 4_000;

const address =
  /:\/\/|^[^=]*(?:host|dst|url|server)=|@[\w-]+\.|[\w-]\.(?:com|org|net|io|example|app|xyz|info|cloud)(?::|\/|$)/iu;

/** An unknown program that is given a secret and an address. */
function maySend({ words: [, ...rest], walk, findings }: Draft): void {
  if (!rest.some(({ text }) => address.test(text))) return;
  const around = aroundOf(walk.shell);
  const secret = [...rest, ...rest.map((word) => withText(word, word.text.replace(/^[^=]*=/u, "")))].some(
    (word) => word.carries.has("secret") || placeOf(word.text, around).secret !== undefined,
  );
  if (secret || walk.input.flows.has("secret"))
    findings.push({ severity: "critical", because: "an unknown program is given secrets and an address" });
}

/** An unknown program, with recursive options, on a place that must not be lost. */
function worstCase(draft: Draft): void {
  const [, ...rest] = draft.words;
  for (const path of rest) {
    const { kind, shown } = placeOf(path.text, aroundOf(draft.walk.shell));
    if (kind === "device")
      note(draft, { severity: "critical", because: `an unknown program is run on the device ${shown}` });
  }
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

/** By default, the output of a program carries what flows in through its input and arguments. */
function finish(draft: Draft, row: Program | undefined, redirected: Draft["made"]): void {
  const { words, walk, flows } = draft;
  const isOwn = flows.has("endless");
  for (const flow of walk.input.flows) flows.add(flow);
  for (const word of words) for (const flow of word.carries) flows.add(flow);
  note(draft, overwritingFinding([...draft.made, ...redirected], draft));
  const name = nameOf(words[0] ?? literal(""));
  if (letsTooMuch(name, words)) flows.add("endless");
  else if (!passesEndlessly({ name, words, row, isOwn })) flows.delete("endless");
  if (flows.has("endless") && draft.made.some(({ path }) => !path.startsWith("/dev/")))
    note(draft, fillsDisk);
  if (row?.kind === "builds") keepBuilt(draft);
  else keepMade(draft);
  for (const { path } of draft.made) walk.shell.sinks.get(path)?.({ text: undefined, flows: new Set(flows) });
}

function callFunction(name: string, words: readonly Word[], walk: Walk): Output {
  const body = walk.shell.functions.get(name);
  walk.report.uncalled.delete(name);
  if (!body) return silent;
  if (walk.calling.includes(body)) {
    if (walk.isConcurrent)
      doubt(walk.report, "critical", "it starts itself again without end (a fork bomb)", walk.range);
    return silent;
  }
  tellLoaded(words, walk);
  const { shell } = walk;
  const { positional, locals } = shell;
  const own = new Map<string, NameMeaning>();
  shell.positional = words;
  shell.locals = own;
  const output = walk.follow.body(body, { ...walk, calling: [...walk.calling, body] });
  shell.positional = positional;
  shell.locals = locals;
  for (const [variable, before] of own) giveBack(shell, variable, before);
  return output;
}

function giveBack({ variables, references }: Shell, name: string, { words, reference }: NameMeaning): void {
  variables.delete(name);
  references.delete(name);
  if (words) variables.set(name, words);
  if (reference !== undefined) references.set(name, reference);
}

/** Aliases may be off, so the command is also traced without the alias. */
function followAlias([first = literal(""), ...rest]: readonly Word[], walk: Walk): void {
  const { shell } = walk;
  const text = shell.aliases.get(first.text);
  if (!text) return;
  const { positional } = shell;
  shell.aliases.delete(first.text); // an alias is not expanded in its own text
  shell.positional = rest;
  walk.follow.text(withText(text, `${text.text} "$@"`), { ...walk, isPlain: false });
  shell.positional = positional;
  shell.aliases.set(first.text, text);
}
