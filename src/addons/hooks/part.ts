/** Runs a session's hooks: the user's own, and those of the workspace that a person consented to (C7, B15, D9). */

import type { Extensions, GuardResult } from "../../agent/extensions.ts";
import { sleep } from "../../base/async.ts";
import { sha256 } from "../../base/crypto.ts";
import { stateOfFiles } from "../../base/safe-fs/small-file.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import type { Message, ContentPart } from "../../protocol/messages.ts";
import { ownBytecode } from "../bytecode.ts";
import type { FilesRun } from "../files-run.ts";
import type { AddonContext, AddonOpener } from "../part.ts";
import { changesOf, changeWords } from "./hook-changes.ts";
import { type HookQuestion, occasionOf } from "./hook-questions.ts";
import type { Hook, HookEvent, KnownTool } from "./hook.ts";
import { usualMs } from "./own-form.ts";
import { askHooks, type HookCall, contextFact, type Round, wordsFor } from "./round.ts";
import { type HooksConfigured, readHookSettings, type SettingsRead } from "./settings-read.ts";
import { broughtBy } from "./trust-requests.ts";

export const openHooks = (configured: HooksConfigured): AddonOpener => {
  const since = stateOfFiles(configured.from?.files ?? []);
  return (context) => {
    const settings = readHookSettings(configured, since, context);
    const session = new SessionHooks(settings, context);
    return {
      points: () => session.points(),
      prompt: (content, signal) => session.prompt(content, signal),
      ready: () => session.ready(),
      close: () => session.close(),
    };
  };
};

type Sure<K extends keyof Extensions> = NonNullable<Extensions[K]>;

class SessionHooks {
  #hooks: readonly Hook[];
  readonly #settings: SettingsRead;
  readonly #context: AddonContext;
  /** Loaded before a hook of the workspace is in `#hooks`. */
  #filesRun: FilesRun | undefined;
  /** The tools called so far, by name. */
  readonly #tools = new Map<string, KnownTool>();
  /** Aborts running hooks when the session closes. */
  readonly #closing = new AbortController();
  /** Aborts background hooks, after a grace period. */
  readonly #over = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** The workspace's hooks that were trusted at the last check. */
  readonly #trusted = new Set<Hook>();
  #isStarted = false;
  #isReady = false;
  /** Output of session-start hooks, which the model must know for the whole session. */
  #atStart: Round["contexts"] = [];
  /** Output of background hooks since the last request. */
  #later: Round["contexts"] = [];

  constructor(settings: SettingsRead, context: AddonContext) {
    this.#hooks = settings.first.hooks;
    this.#settings = settings;
    this.#context = context;
  }

  /** Only the points that some hook listens to, so that sessions without hooks pay nothing. */
  points(): Extensions {
    const hooks = this.#hooks.filter((hook) => this.#isOfSession(hook));
    if (hooks.length === 0) return {};
    const listens = (event: HookEvent): boolean => hooks.some(({ on }) => on.includes(event));
    const saysBeforeAsk =
      listens("session-start") || this.#atStart.length > 0 || hooks.some(({ inBackground }) => inBackground);
    return {
      // Runs for every call, so it also records the tools' aliases and kinds.
      guards: (tool) => this.guards(tool),
      ...(listens("before-call") ? { beforeCall: this.beforeCall } : {}),
      ...(listens("after-call") ? { afterCall: this.afterCall } : {}),
      ...(listens("before-change") ? { beforeChange: this.beforeChange } : {}),
      ...(listens("after-change") ? { afterChange: this.afterChange } : {}),
      ...(listens("approval-asked") ? { asked: (question) => this.asked(question) } : {}),
      ...(saysBeforeAsk ? { beforeAsk: ({ messages }, signal) => this.beforeAsk(messages, signal) } : {}),
      ...(listens("compaction") ? { beforeCompaction: this.beforeCompaction } : {}),
      ...(listens("turn-end") ? { beforeEnd: this.beforeEnd } : {}),
    };
  }

  /** Establishes which hooks await consent. Settings changed before the first message need no notice. */
  async ready(): Promise<void> {
    if (this.#isReady) return this.#lookAgain("somebody looks");
    this.#isReady = true;
    const again = await this.#settings.again();
    await this.#load(again?.hooks ?? this.#hooks);
    if (again) this.#hooks = changesOf(this.#hooks, again.hooks).hooks;
    for (const problem of [...this.#settings.first.problems, ...(again?.problems ?? [])])
      this.#context.warn("hooks", problem);
    for (const hook of this.#hooks)
      if (!this.#isTrusted(hook) && hook.where !== undefined && !broughtBy(hook, hook.where, this.#place()))
        this.#context.warn("hooks", uncountableWords(hook));
  }

  async #load(hooks: readonly Hook[]): Promise<void> {
    if (hooks.some(({ where }) => where !== undefined))
      this.#filesRun ??= await this.#context.trust.filesRun();
  }

  guards(tool: KnownTool): boolean {
    this.#tools.set(tool.name, tool);
    return this.#called("before-call", tool).length > 0;
  }

  beforeCall: Sure<"beforeCall"> = async (call, signal) => {
    const round = await this.#ask({ event: "before-call", call }, signal, call.tool);
    return { ...verdictOf(round), input: round.veto === undefined ? round.input : undefined };
  };

  afterCall: Sure<"afterCall"> = async (call, signal) =>
    roundNotes(await this.#ask({ event: "after-call", call }, signal, call.tool));

  beforeChange: Sure<"beforeChange"> = async (change, signal) =>
    verdictOf(await this.#askAboutChange("before-change", change, signal));

  afterChange: Sure<"afterChange"> = async (change, signal) =>
    roundNotes(await this.#askAboutChange("after-change", change, signal));

  async #askAboutChange(
    event: "before-change" | "after-change",
    change: Parameters<Sure<"beforeChange">>[0],
    signal: AbortSignal,
  ): Promise<Round> {
    const diff = await this.#diffFor(event, change);
    return this.#ask({ event, change, diff }, signal, change.tool);
  }

  asked(question: FactOf<"approval-asked">): void {
    this.#leave(this.#ask({ event: "approval-asked", question }, this.#closing.signal));
  }

  /** Repeats the session-start output once the model's messages no longer contain it. */
  async beforeAsk(messages: readonly Message[], signal: AbortSignal): Promise<Fact[]> {
    const facts = await this.#start(signal);
    const missing = this.#atStart.filter((one) => !isTold(wordsFor(one), messages));
    const later = this.#later.splice(0);
    return [...facts, ...[...missing, ...later].map(contextFact)];
  }

  beforeCompaction: Sure<"beforeCompaction"> = async (because, signal) =>
    verdictOf(await this.#ask({ event: "compaction", because }, signal)).facts;

  beforeEnd: Sure<"beforeEnd"> = async (end, signal) => {
    const { facts, veto } = await this.#ask({ event: "turn-end", ...end }, signal);
    return veto === undefined ? { facts } : { facts, veto };
  };

  async prompt(content: readonly ContentPart[], signal: AbortSignal) {
    await this.#lookAgain("message");
    const atStart = await this.#start(signal);
    // A timeout is a failure like any other: `onFailure` decides.
    const verdict = verdictOf(await this.#round({ event: "prompt", content }, signal));
    return { ...verdict, facts: [...atStart, ...verdict.facts] };
  }

  /** Runs the session-end hooks, then grants background hooks a grace period and aborts what is left. */
  async close(): Promise<void> {
    if (this.#isStarted) {
      const { facts } = await this.#ask({ event: "session-end" }, new AbortController().signal);
      this.#tellFailures(facts);
    }
    this.#closing.abort(new Error("closed"));
    const all = Promise.allSettled(this.#running);
    const ended = new AbortController();
    void all.then(() => ended.abort());
    await sleep(usualMs, ended.signal).catch(() => undefined);
    this.#over.abort(new Error("closed"));
    await all;
  }

  /** Not awaited; failures are reported. */
  #leave(round: Promise<Round>): void {
    const ended = round.then(
      ({ facts }) => this.#tellFailures(facts),
      () => undefined,
    );
    this.#running.add(ended);
    void ended.finally(() => this.#running.delete(ended));
  }

  /**
   * Changed settings apply from the next message on; changed hooks of the workspace need consent first. People are
   * notified.
   */
  async #lookAgain(because: "message" | "somebody looks"): Promise<void> {
    const again = await this.#settings.again();
    if (!again) return;
    await this.#load(again.hooks);
    const changed = changesOf(this.#hooks, again.hooks);
    this.#hooks = changed.hooks;
    const { trust } = this.#context;
    const left = changed.gone.flatMap((hook) =>
      hook.where === undefined ? [] : (broughtBy(hook, hook.where, this.#place()) ?? []),
    );
    trust.gone?.(left);
    const waits = new Set(changed.hooks.filter((hook) => !this.#isTrusted(hook)));
    const code = `hooks-${sha256(new TextEncoder().encode(again.state)).slice(0, 12)}`; // shown once per change
    for (const [at, problem] of again.problems.entries()) this.#context.warn(`${code}-${at}`, problem);
    const told = because === "message" ? changed.added : changed.added.filter((hook) => !waits.has(hook));
    const words = changeWords({ ...changed, added: told }, waits);
    if (words !== undefined) this.#context.warn(`${code}-changed`, words);
  }

  /** Runs once, before anything else is sent to the model. */
  async #start(signal: AbortSignal): Promise<Fact[]> {
    if (this.#isStarted) return [];
    this.#isStarted = true;
    const asked = { event: "session-start", isResumed: this.#context.isResumed } as const;
    const { facts, contexts, says } = await this.#round(asked, signal);
    this.#atStart = [...contexts, ...says];
    return facts;
  }

  async #ask(asked: HookQuestion, signal: AbortSignal, toolName?: string): Promise<Round> {
    const round = await this.#round(asked, signal, toolName);
    signal.throwIfAborted();
    return round;
  }

  async #round(asked: HookQuestion, signal: AbortSignal, toolName?: string): Promise<Round> {
    const tool = toolName === undefined ? undefined : (this.#tools.get(toolName) ?? unknownTool(toolName));
    const meant = this.#meant(asked.event, tool).filter(({ hook }) => isFor(hook, asked));
    const called = (await this.#startable(meant)).flatMap((one) => onceForEachFile(one, asked));
    const [waited, left] = [called.filter((one) => !isLeft(one)), called.filter(isLeft)];
    for (const one of left) this.#leave(this.#askAside(one, asked));
    const round = await askHooks(
      waited,
      asked,
      this.#contextFor(AbortSignal.any([signal, this.#closing.signal])),
    );
    await this.#compareAfter(waited);
    return round;
  }

  /** The content is checked last: from then on no command can change what the hooks run. */
  async #startable(called: readonly HookCall[]): Promise<HookCall[]> {
    const ready: HookCall[] = [];
    for (const one of called) {
      const { hook } = one;
      const why = hook.where === undefined ? undefined : await this.#context.trust.whyNotNow?.(thingOf(hook));
      if (!this.#isTrusted(hook)) continue;
      if (why === undefined) ready.push(one);
      else this.#context.warn("hook-not-started", notStartedWords(hook, why));
    }
    return ready;
  }

  /** What cannot be held, such as a name that would be found first, could have been there for a moment. */
  async #compareAfter(called: readonly HookCall[]): Promise<void> {
    for (const { hook } of called)
      if (!this.#isTrusted(hook)) await this.#context.trust.withdraw?.(thingOf(hook));
  }

  #contextFor(signal: AbortSignal): Parameters<typeof askHooks>[2] {
    const { session, parent, workspace, stateDir, started } = this.#context;
    const place = { session, workspace, parent };
    const environment = { ...this.#context.environment, ...ownBytecode(stateDir) };
    return { place, workspace, environment, started, signal };
  }

  /** A background hook cannot refuse any more: its veto is passed on as text. */
  async #askAside(called: HookCall, asked: HookQuestion): Promise<Round> {
    const round = await askHooks([called], asked, this.#contextFor(this.#over.signal));
    await this.#compareAfter([called]);
    const no = round.veto === undefined ? [] : [{ name: called.hook.name, text: round.veto }];
    this.#later.push(...round.contexts, ...round.says, ...no);
    return round;
  }

  #called(event: HookEvent, tool?: KnownTool): HookCall[] {
    return this.#meant(event, tool).filter(({ hook }) => this.#isTrusted(hook));
  }

  #meant(event: HookEvent, tool?: KnownTool): HookCall[] {
    return this.#hooks.flatMap((hook): HookCall[] => {
      if (!hook.on.includes(event) || !this.#isOfSession(hook)) return [];
      const calls = tool && hook.calls(tool);
      if (tool && calls === undefined) return [];
      return [{ hook, calls }];
    });
  }

  #isOfSession({ of }: Hook): boolean {
    return of === undefined || (of === "subagent") === (this.#context.parent !== undefined);
  }

  /** Checked at every use: the files it runs may have changed, or a person may have consented meanwhile. */
  #isTrusted(hook: Hook): boolean {
    if (hook.where === undefined) return true;
    const brought = broughtBy(hook, hook.where, this.#place());
    const isTrusted = brought !== undefined && this.#context.trust.allows(brought);
    if (isTrusted) this.#trusted.add(hook);
    else if (this.#trusted.delete(hook)) this.#context.warn("untrusted-hook", changedWords(hook));
    return isTrusted;
  }

  #place(): Parameters<typeof broughtBy>[2] {
    if (!this.#filesRun)
      throw new Error("A hook of the workspace was asked about before the session was ready.");
    return { workspace: this.#context.workspace, filesRun: this.#filesRun };
  }

  async #diffFor(event: HookEvent, { changes }: Parameters<Sure<"beforeChange">>[0]): Promise<string> {
    if (this.#called(event).length === 0) return "";
    const { diffOf } = await import("../../tools/changes/diff.ts"); // 5 ms, which most sessions never need
    return diffOf(changes).catch(() => ""); // a file changed under our hands
  }

  #tellFailures(facts: readonly Fact[]): void {
    for (const fact of facts)
      if (fact.type === "warning") this.#context.warn(fact.code, fact.text);
      else if (fact.type === "hook-ran" && fact.outcome !== "ok")
        this.#context.warn(
          "hook-failed",
          `The hook ${fact.hook} (${fact.event}) failed: ${fact.because ?? ""}`,
        );
  }
}

const uncountableWords = ({ name, where = "" }: Hook): string =>
  `${where}: the hook ${JSON.stringify(name)} cannot be agreed to, so it does not run: it may run more files of the workspace than are counted, or one that is too large or cannot be read.`;

const thingOf = ({ name, where = "" }: Hook) => ({ kind: "hook", name, where }) as const;

const notStartedWords = ({ name }: Hook, why: string): string =>
  `The hook ${name} of this workspace was not started, because ${why}.`;

const changedWords = ({ name }: Hook): string =>
  `The hook ${name} of this workspace does not run any more: it, or what it runs, has changed, or is not agreed to any more. Look with \`toolwright trust\`.`;

function isFor(hook: Hook, asked: HookQuestion): boolean {
  const occasion = occasionOf(asked);
  return occasion === undefined || (hook.fits?.(occasion) ?? true);
}

const isLeft = ({ hook }: HookCall): boolean => hook.inBackground === true;

/** Other agents' tools change one file per call, so their hooks expect one file each. */
function onceForEachFile(called: HookCall, asked: HookQuestion): HookCall[] {
  const isOfCall = asked.event === "before-call" || asked.event === "after-call";
  if (called.hook.foreign === undefined || !isOfCall || asked.call.command !== undefined) return [called];
  const { paths } = asked.call;
  return paths.length > 1 ? paths.map((path) => ({ ...called, path })) : [called];
}

const unknownTool = (name: string): KnownTool => ({ name, aliases: [], does: "read" });

/** Without a veto the model is told what the hooks add. */
const verdictOf = ({ facts, contexts, veto }: Round): GuardResult =>
  veto === undefined ? { facts: [...facts, ...contexts.map(contextFact)] } : { facts, veto };

/** The result also tells the model about a veto that came too late. */
const roundNotes = ({ facts, contexts, says }: Round) => ({
  facts,
  words: [...contexts, ...says].map(wordsFor),
});

const isTold = (words: string, messages: readonly Message[]): boolean =>
  messages.some(
    ({ role, content }) =>
      role === "user" && content.some((part) => part.type === "text" && part.text === words),
  );
