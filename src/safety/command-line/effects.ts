/** Applies the effects of one use of a program: what they touch, how severe that is, and what runs as a result. */

import { codeEffects } from "../dangers/code/index.ts";
import type { Effect, Input, Language } from "../dangers/effect.ts";
import { fileFinding, type FileEffect } from "../judge/file-findings.ts";
import { fetchFinding, isLoopback, runsFlow, sendFinding } from "../judge/flow-findings.ts";
import { readsBeyond } from "../judge/look-outside.ts";
import { flowsOfPlace, type PathPlace, placeOf } from "../judge/place.ts";
import type { TouchedPath } from "../judgement.ts";
import { insideFinding, pathsOutside } from "./container-paths.ts";
import { type Draft, note, noteOfInput } from "./draft.ts";
import { fillsDisk } from "./endless.ts";
import { doubt, takePath } from "./report.ts";
import {
  absolutePath,
  aroundOf,
  changeDirectory,
  childShell,
  exportVariable,
  keepFile,
  listFiles,
  madeAt,
  type Output,
  setVariable,
  type Shell,
  silent,
  subshell,
} from "./shell.ts";
import { noInput, type Walk } from "./walking.ts";
import { flowsOf, isUnknown, loadOf, unknownWord, type Word, withText } from "./word.ts";

export function applyEffects(effects: Iterable<Effect>, draft: Draft): void {
  for (const effect of effects) apply(effect, draft);
}

function apply(effect: Effect, draft: Draft): void {
  draft.effects.add(effect.type === "interprets" ? `interprets ${effect.language}` : effect.type);
  switch (effect.type) {
    case "reads":
    case "writes":
    case "deletes":
    case "permits":
      return touch(effect, draft);
    case "runs":
      return run(effect, draft);
    case "interprets":
      return interpret({ ...effect, isRemote: effect.remote === true, words: effect.arguments }, draft);
    case "interprets-input":
      return interpretInput(effect.language, effect.remote === true, draft);
    case "loads":
      return load(effect, draft);
    case "sends":
      return send(effect, draft);
    case "fetches":
      return fetch(effect.from, draft, effect.registry);
    case "prints":
      if (effect.text) draft.text = effect.text;
      for (const flow of [...(effect.flows ?? []), ...(effect.text?.carries ?? [])]) draft.flows.add(flow);
      if (effect.text) for (const flow of draft.words.flatMap(loadOf)) draft.flows.add(flow);
      return undefined;
    case "handles-own-processes":
      draft.isAboutOwn = true;
      draft.walk.report.doesMore = true;
      return undefined;
    case "danger":
      if (effect.severity !== "none") return note(draft, effect);
      draft.walk.report.doesMore = true;
      return undefined;
    default:
      return effect satisfies never;
  }
}

/** The limit for nested wrappers. */
const deepest = 40;

/** Handles every file effect: of a program, a redirection, or code in another language. */
export function touch(effect: FileEffect, draft: Draft): void {
  const { walk } = draft;
  if (/^(?!file:)[a-z][\w+.-]*:\/\//iu.test(effect.path.text)) return exchange(effect, draft);
  if (walk.remote === "container") return touchFromInside(effect, draft);
  if (!takePath(walk.report)) return;
  const place = placeOf(effect.path.text, aroundOf(walk.shell));
  const stays = effect.type === "reads" || place.kind === "nothing";
  if (!stays) walk.report.doesMore = true;
  const to = effect.type === "deletes" ? effect.to : undefined;
  note(draft, fileFinding(effect, place, to && placeOf(to.text, aroundOf(walk.shell))));
  if (walk.isEndless && effect.type === "writes" && effect.how === "appends" && !stays)
    note(draft, fillsDisk);
  if (place.kind === "network") reach(hostOf(effect.path), draft);
  if (walk.remote) return;
  if (place.kind !== "nothing" && place.kind !== "network")
    walk.report.touched.push(touchedPath(effect, place, walk.shell));
  if (effect.type === "reads") readFrom(place, effect.path, draft);
  if (effect.type === "deletes" && effect.moved) {
    draft.sources.push(madeAt(walk.shell, place.path));
    draft.movesMany ||= walk.shell.listed.has(place.path ?? "");
  }
  if (effect.type === "writes" && place.path !== undefined)
    draft.made.push({
      path: place.path,
      content: effect.content,
      how: effect.how,
      isBuilt: effect.isBuilt === true,
    });
}

/** An address in place of a file: what is read there is fetched, what is written there is sent. */
function exchange({ type, path }: FileEffect, draft: Draft): void {
  if (type === "reads") return fetch(path, draft);
  if (type === "writes")
    send({ type: "sends", to: path, words: [unknownWord(draft.flows)], input: true }, draft);
}

/** A container has its own files, except for mounted directories. */
function touchFromInside(effect: FileEffect, draft: Draft): void {
  const { remote: _, mounts, ...walk } = draft.walk;
  note(draft, insideFinding(effect));
  if (!mounts) return;
  const isDeep = (effect.type === "deletes" || effect.type === "permits") && effect.deep;
  const { directory } = walk.shell;
  const paths = pathsOutside(effect.path, { mounts, directory, isDeep, isRead: effect.type === "reads" });
  const shell = { ...walk.shell, directory: walk.outside };
  for (const path of paths) touch({ ...effect, path }, { ...draft, walk: { ...walk, shell } });
}

/** `/dev/tcp/host/port` */
const hostOf = (path: Word): Word => withText(path, path.text.split("/")[3] ?? "");

/** Requests to this machine's own servers stay here; others use the network. */
function reach(address: Word | undefined, draft: Draft, isRegistry = false): void {
  const { report, pipeline, shell } = draft.walk;
  if (isLoopback(address)) return void (report.usesService = true);
  draft.usesNetwork = true;
  if (address) draft.namesHost = true;
  report.usesNetwork = true;
  if (!isRegistry) report.usesOtherNetwork = true;
  // A variable can name another host, too.
  if (address || draft.variables.length > 0 || shell.exported.size > 0) report.namesHost = true;
  pipeline.usesNetwork = true;
}

function touchedPath(
  effect: FileEffect,
  { path, shown }: PathPlace,
  { directory, previousDirectory }: Shell,
): TouchedPath {
  const access =
    effect.type === "reads" ? "read" : effect.type === "deletes" && !effect.moved ? "delete" : "write";
  if (path === undefined) return { path: `…/${shown}`, access };
  const spelled = spelledOf(effect.path.text, directory);
  return {
    path: path.replaceAll("\0", "…"),
    access,
    ...(spelled === undefined ? {} : { spelled: spelled.replaceAll("\0", "…") }),
    ...(effect.type === "deletes" ? { itself: true } : {}),
    ...(effect.type === "deletes" &&
    directory !== undefined &&
    previousDirectory !== undefined &&
    !/^[/~]/u.test(effect.path.text)
      ? { within: directory }
      : {}),
    ...(effect.type === "deletes" && effect.deep ? { deep: true } : {}),
    ...(effect.type === "writes" && effect.isNew ? { isNew: true } : {}),
    ...(effect.type === "writes" && effect.linksTo ? { itself: true, linksTo: effect.linksTo.text } : {}),
  };
}

/** The path as written, if links could lead elsewhere than the names suggest. */
function spelledOf(text: string, directory: string | undefined): string | undefined {
  const spelled = text.startsWith("/") ? text : `${directory}/${text}`;
  const isOdd = /\/\.\.(?:\/|$)|\/\.?$/u.test(spelled) && !text.startsWith("~");
  return isOdd && (directory !== undefined || text.startsWith("/")) ? spelled : undefined;
}

function readFrom({ kind, secret, path }: PathPlace, word: Word, draft: Draft): void {
  draft.readsBeyond ||= readsBeyond(word, aroundOf(draft.walk.shell));
  const known = madeAt(draft.walk.shell, path);
  for (const flow of [...(known?.flows ?? []), ...word.carries]) draft.flows.add(flow);
  draft.sources.push(path === "/dev/null" ? silent : known);
  if (path !== undefined) draft.opened.add(path);
  for (const flow of flowsOfPlace({ kind, secret, path })) draft.flows.add(flow);
}

function run(
  { words, input, variables = [], directory, remote, mounts }: Extract<Effect, { type: "runs" }>,
  draft: Draft,
): void {
  const { walk } = draft;
  if (words.length === 0) return;
  if (walk.depth >= deepest)
    return doubt(walk.report, "critical", "its commands are nested too deeply to be understood");
  const shell = isOwnShell(draft) ? walk.shell : subshell(walk.shell);
  listFiles(shell, words);
  if (directory) changeDirectory(shell, directory);
  for (const { name, value } of variables) exportVariable(shell, name, [value]);
  const output = walk.follow.words(words, {
    ...walk,
    shell,
    depth: walk.depth + 1,
    isPlain: false,
    ...(input ? { input } : {}),
    ...remoteOf(draft, remote === true),
    ...(mounts ? { mounts, outside: walk.shell.directory } : {}),
  });
  for (const flow of output.flows) draft.flows.add(flow);
  draft.text = output.text;
}

/** `command cd x` changes this shell; `env cd x` another one. */
const isOwnShell = ({ words }: Draft): boolean =>
  /^(?:command|builtin|exec|time|noglob|nocorrect)$/u.test(words[0]?.text ?? "");

const containers =
  /^(?:docker|docker-compose|podman|podman-compose|nerdctl|kubectl|oc|lxc|crictl|ctr|buildah|multipass|vagrant)(?:\.exe)?$/u;

function remoteOf({ words, walk }: Draft, isRemote: boolean): Pick<Walk, "remote"> {
  if (!isRemote) return walk.remote ? { remote: walk.remote } : {};
  const name = (words[0]?.text ?? "").replace(/^.*\//u, "");
  return { remote: containers.test(name) ? "container" : "host" };
}

type Code = { language: Language; code: Word; isRemote: boolean; words?: readonly Word[] | undefined };

function interpret({ language, code, isRemote, words }: Code, draft: Draft): void {
  const { walk } = draft;
  const flow = runsFlow(code.carries);
  note(draft, flow);
  if (!flow && isUnknown(code) && language !== "awk" && language !== "sed")
    note(draft, { severity: "high", because: "part of its code is only known when it runs" });
  if (language !== "shell") {
    if (language === "other") walk.report.doesMore = true; // its grammar is only guessed
    const effects = codeEffects(language, code).map((effect) => fedWith(effect, walk.input));
    return applyEffects(effects, draft);
  }
  const shell = /^(?:eval|source|\.|trap|command|builtin)$/u.test(draft.words[0]?.text ?? "")
    ? walk.shell
    : childShell(walk.shell);
  const { positional } = shell;
  listFiles(shell, [code]);
  if (words) setPositional(shell, words);
  const within: Walk = { ...walk, shell, isPlain: false, ...remoteOf(draft, isRemote) };
  if (draft.words[0]?.text === "trap")
    return void walk.report.atExit.push(() => walk.follow.text(code, within));
  const output = walk.follow.text(code, within);
  if (words) shell.positional = positional;
  for (const one of output.flows) draft.flows.add(one);
  draft.text = output.text;
}

/** Code that is unknown until run time may come from the input, so it carries the flows of the input. */
function fedWith(effect: Effect, { flows }: Input): Effect {
  const fed = (word: Word): Word =>
    isUnknown(word) ? { ...word, carries: new Set([...word.carries, ...flows]) } : word;
  if (effect.type === "runs") return { ...effect, words: effect.words.map(fed) };
  return effect.type === "interprets" ? { ...effect, code: fed(effect.code) } : effect;
}

/** Sets `$0` and the arguments after it, as in `sh -c code name first`. */
function setPositional(shell: Shell, [name, ...rest]: readonly Word[]): void {
  if (name) setVariable(shell, "0", [name]);
  shell.positional = rest;
}

function interpretInput(language: Language, isRemote: boolean, draft: Draft): void {
  const { walk } = draft;
  const { input } = walk;
  draft.effects.add("interprets-input");
  walk.pipeline.interpretsInput = true;
  const flow = runsFlow(input.flows);
  if (flow) return noteOfInput(draft, flow);
  if (input.text)
    return interpret(
      { language, code: input.text, isRemote },
      { ...draft, walk: { ...walk, input: noInput } },
    );
  if (!input.isGiven) return;
  walk.report.doesMore = true;
  if (input.from && !isRemote)
    return note(draft, loadFinding(placeOf(input.from.text, aroundOf(walk.shell))));
  noteOfInput(draft, { severity: "high", because: "it runs what comes in on its standard input" });
}

function load(effect: Extract<Effect, { type: "loads" }>, draft: Draft): void {
  const { path, language } = effect;
  const { walk } = draft;
  if (/^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|thread-self)\/fd\/0)$/u.test(path.text))
    return interpretInput(language, false, draft);
  walk.report.doesMore = true;
  const flow = runsFlow(path.carries);
  if (flow) return note(draft, flow);
  const absolute = absolutePath(path.text, walk.shell.directory);
  const known = madeAs(walk.shell, absolute, language);
  if (known) return loadKnown(known, effect, draft);
  if (walk.remote) return;
  const place = placeOf(path.text, aroundOf(walk.shell));
  note(draft, loadFinding(place));
  if (place.secret === undefined || place.kind !== "in-workspace") return;
  note(draft, { severity: "medium", because: `it loads ${place.secret} (${place.shown})` });
  walk.report.touched.push(touchedPath({ type: "reads", path }, place, walk.shell));
}

/** Suffixes to try if a name is not a file itself. */
const endings: Readonly<Partial<Record<Language, readonly string[]>>> = {
  javascript: [".js", ".mjs", ".cjs", ".ts", "/index.js"],
  python: ["/__main__.py"],
  ruby: [".rb"],
};

function madeAs(shell: Shell, path: string | undefined, language: Language): Output | undefined {
  const names = ["", ...(endings[language] ?? [])];
  return names.map((ending) => madeAt(shell, path && `${path}${ending}`)).find((made) => made !== undefined);
}

function loadKnown(
  { text, flows, isBuilt }: Output,
  { language, arguments: words }: Extract<Effect, { type: "loads" }>,
  draft: Draft,
): void {
  const flow = runsFlow(flows);
  if (flow) return note(draft, flow);
  if (isBuilt) return;
  if (text) interpret({ language, code: text, isRemote: false, words }, draft);
  else note(draft, { severity: "high", because: "it runs a file that this line has just written" });
}

/** Files that every shell of the user reads anyway: writing to them is critical, reading them is normal. */
const ownSetup =
  /\/(?:\.bashrc|\.bash_profile|\.profile|\.zshrc|\.nvm\/nvm\.sh|\.(?:cargo|ghcup|deno)\/env|\.local\/bin\/env|\.sdkman\/bin\/sdkman-init\.sh|\.asdf\/asdf\.sh|\.rvm\/scripts\/rvm|(?:\.?(?:mini)?(?:conda|forge|mamba)3?|anaconda3)\/(?:etc\/profile\.d\/conda\.sh|bin\/activate))$/u;

function loadFinding({ kind, shown, path = "" }: PathPlace) {
  if (kind === "in-workspace" || kind === "system" || kind === "workspace" || kind === "above-workspace")
    return undefined;
  if (kind === "nothing") return undefined;
  if (/^\/opt\/|^\/home\/linuxbrew\//u.test(path)) return undefined;
  if ((kind === "at-home" || kind === "in-home") && ownSetup.test(path)) return undefined;
  if (kind === "unknown")
    return { severity: "high" as const, because: "only the run will tell whose code it runs" };
  return { severity: "high" as const, because: `it runs code from outside the workspace (${shown})` };
}

function send({ to, words = [], files = [], input }: Extract<Effect, { type: "sends" }>, draft: Draft): void {
  const { walk } = draft;
  const flows = new Set([...flowsOf([...words, ...(to ? [to] : [])]), ...(input ? walk.input.flows : [])]);
  for (const path of files)
    for (const flow of madeAt(walk.shell, absolutePath(path.text, walk.shell.directory))?.flows ?? [])
      flows.add(flow);
  const sent = files.map((path) => {
    const { kind, secret, shown } = placeOf(path.text, aroundOf(walk.shell));
    const isInside =
      kind === "in-workspace" ||
      kind === "workspace" ||
      kind === "temporary" ||
      kind === "nothing" ||
      kind === "unknown";
    return { secret: secret !== undefined, outside: !isInside, shown };
  });
  for (const path of files) touch({ type: "reads", path }, { ...draft, findings: [] });
  const tell = input === true ? noteOfInput : note;
  tell(draft, sendFinding({ to, flows, files: sent }));
  reach(to, draft);
  walk.report.doesMore = true;
  draft.flows.add("network");
}

function fetch(from: Word | undefined, draft: Draft, isRegistry?: boolean): void {
  note(draft, fetchFinding(from, flowsOf(draft.words)));
  reach(from, draft, isRegistry);
  draft.flows.add("network");
}

/** The output of a build is trusted like the workspace, unless this line has written the build's input. */
export function keepBuilt({ made, walk, sources, flows }: Draft): void {
  const isBuilt = sources.every((source) => source?.text === undefined) && !runsFlow(flows);
  for (const { path } of made)
    walk.shell.files.set(path, { text: undefined, flows: new Set(flows), isBuilt });
}

/** The content of files that were made: known text, the one file that was read, or what flowed through the program. */
export function keepMade({ made, walk, sources, flows }: Draft): void {
  const [source, more] = sources;
  const passed = new Set([...flows, ...sources.flatMap((one) => [...(one?.flows ?? [])])]);
  for (const { path, content, how, isBuilt = false } of made) {
    const known = content ?? (more === undefined ? source?.text : undefined);
    const output = known
      ? { text: known, flows: known.carries }
      : { text: undefined, flows: passed, isBuilt };
    keepFile(walk.shell, path, output, how === "appends" ? walk.shell.files.get(path) : undefined);
  }
}
