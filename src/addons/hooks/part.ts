/** Hooks of a session: the user's own, and those of the workspace that a person has agreed to (C7, B15, D9). */

import type { Extensions } from "../../agent/extensions.ts";
import { sha256 } from "../../base/crypto.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import type { Message, Part } from "../../protocol/messages.ts";
import type { AddonRoom, OpenPart } from "../part.ts";
import { type Asked, occasionOf } from "./asked.ts";
import { broughtBy } from "./brought.ts";
import { changesOf, changeWords } from "./changed.ts";
import type { Hook, HookEvent, KnownTool } from "./hook.ts";
import { askHooks, type Called, contextFact, type Round, wordsFor } from "./round.ts";
import { type HooksConfigured, readHookSettings, type SettingsRead, stateOfFiles } from "./settings-read.ts";

export const openHooks = (configured: HooksConfigured): OpenPart => {
  const since = stateOfFiles(configured.from?.files ?? []);
  return (room) => {
    const settings = readHookSettings(configured, since, room);
    const session = new SessionHooks(settings, room);
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
  readonly #room: AddonRoom;
  /** The tools that were called, by their names. */
  readonly #tools = new Map<string, KnownTool>();
  /** Ends what runs when the session is closed. */
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** Of the workspace's, those that were trusted when it was last asked. */
  readonly #trusted = new Set<Hook>();
  #isStarted = false;
  #isReady = false;
  /** What was said at the start, which the model is to know as long as the session is open. */
  #atStart: Round["contexts"] = [];

  constructor(settings: SettingsRead, room: AddonRoom) {
    this.#hooks = settings.first.hooks;
    this.#settings = settings;
    this.#room = room;
  }

  /** Where no hook listens, nothing is made ready. */
  points(): Extensions {
    const hooks = this.#hooks.filter((hook) => this.#isOfSession(hook));
    if (hooks.length === 0) return {};
    const listens = (event: HookEvent): boolean => hooks.some(({ on }) => on.includes(event));
    const startsWith = listens("session-start") || this.#atStart.length > 0;
    return {
      // Asked of every call: so the tools are known by more than their names.
      guards: (tool) => this.guards(tool),
      ...(listens("before-call") ? { beforeCall: this.beforeCall } : {}),
      ...(listens("after-call") ? { afterCall: this.afterCall } : {}),
      ...(listens("before-change") ? { beforeChange: this.beforeChange } : {}),
      ...(listens("after-change") ? { afterChange: this.afterChange } : {}),
      ...(listens("approval-asked") ? { asked: (question) => this.asked(question) } : {}),
      ...(startsWith ? { beforeAsk: ({ messages }, signal) => this.beforeAsk(messages, signal) } : {}),
      ...(listens("compaction") ? { beforeCompaction: this.beforeCompaction } : {}),
      ...(listens("turn-end") ? { beforeEnd: this.beforeEnd } : {}),
    };
  }

  /** Known is then what waits for a person. That settings changed before anything was said is nothing to tell. */
  async ready(): Promise<void> {
    if (this.#isReady) return this.#lookAgain("somebody looks");
    this.#isReady = true;
    const again = await this.#settings.again();
    if (again) this.#hooks = changesOf(this.#hooks, again.hooks).hooks;
    for (const problem of [...this.#settings.first.problems, ...(again?.problems ?? [])])
      this.#room.warn("hooks", problem);
    for (const hook of this.#hooks)
      if (
        !this.#isTrusted(hook) &&
        hook.where !== undefined &&
        !broughtBy(hook, hook.where, this.#room.workspace)
      )
        this.#room.warn("hooks", uncountableWords(hook));
  }

  guards(tool: KnownTool): boolean {
    this.#tools.set(tool.name, tool);
    return this.#called("before-call", tool).length > 0;
  }

  beforeCall: Sure<"beforeCall"> = async (call, signal) => {
    const { facts, contexts, veto, input } = await this.#ask(
      { event: "before-call", call },
      signal,
      call.tool,
    );
    if (veto !== undefined) return { facts, veto };
    return { facts: [...facts, ...contexts.map(contextFact)], ...(input ? { input } : {}) };
  };

  afterCall: Sure<"afterCall"> = async (call, signal) =>
    said(await this.#ask({ event: "after-call", call }, signal, call.tool));

  beforeChange: Sure<"beforeChange"> = async (change, signal) => {
    const asked = {
      event: "before-change",
      change,
      diff: await this.#diffFor("before-change", change),
    } as const;
    const { facts, contexts, veto } = await this.#ask(asked, signal, change.tool);
    return veto === undefined ? { facts: [...facts, ...contexts.map(contextFact)] } : { facts, veto };
  };

  afterChange: Sure<"afterChange"> = async (change, signal) => {
    const asked = {
      event: "after-change",
      change,
      diff: await this.#diffFor("after-change", change),
    } as const;
    return said(await this.#ask(asked, signal, change.tool));
  };

  /** Nobody waits for these; what goes wrong is told. */
  asked(question: FactOf<"approval-asked">): void {
    const asking = this.#ask({ event: "approval-asked", question }, this.#closing.signal).then(
      ({ facts }) => this.#tellFailures(facts),
      () => undefined,
    );
    this.#running.add(asking);
    void asking.finally(() => this.#running.delete(asking));
  }

  /** What was said at the start is told again once the model does not know it any more. */
  async beforeAsk(messages: readonly Message[], signal: AbortSignal): Promise<Fact[]> {
    const facts = await this.#start(signal);
    const missing = this.#atStart.filter((one) => !isTold(wordsFor(one), messages));
    return [...facts, ...missing.map(contextFact)];
  }

  beforeCompaction: Sure<"beforeCompaction"> = async (because, signal) => {
    const { facts, contexts } = await this.#ask({ event: "compaction", because }, signal);
    return [...facts, ...contexts.map(contextFact)];
  };

  beforeEnd: Sure<"beforeEnd"> = async (end, signal) => {
    const { facts, veto } = await this.#ask({ event: "turn-end", ...end }, signal);
    return veto === undefined ? { facts } : { facts, veto };
  };

  async prompt(content: readonly Part[], signal: AbortSignal) {
    await this.#lookAgain("message");
    const atStart = await this.#start(signal);
    // Overtime is a failure like any other: what the settings say of it holds.
    const { facts, contexts, veto } = await this.#round({ event: "prompt", content }, signal);
    if (veto !== undefined) return { facts: [...atStart, ...facts], veto };
    return { facts: [...atStart, ...facts, ...contexts.map(contextFact)] };
  }

  /** The hooks of the end run, within their time; then nothing runs any more. */
  async close(): Promise<void> {
    if (this.#isStarted) {
      const { facts } = await this.#ask({ event: "session-end" }, new AbortController().signal);
      this.#tellFailures(facts);
    }
    this.#closing.abort(new Error("closed"));
    await Promise.allSettled(this.#running);
  }

  /**
   * Settings that have changed hold from the next message on; what of them needs trust waits for it. People are told.
   */
  async #lookAgain(because: "message" | "somebody looks"): Promise<void> {
    const again = await this.#settings.again();
    if (!again) return;
    const changed = changesOf(this.#hooks, again.hooks);
    this.#hooks = changed.hooks;
    const { workspace, trust } = this.#room;
    const left = changed.gone.flatMap((hook) =>
      hook.where === undefined ? [] : (broughtBy(hook, hook.where, workspace) ?? []),
    );
    trust.gone?.(left);
    const waits = new Set(changed.hooks.filter((hook) => !this.#isTrusted(hook)));
    const code = `hooks-${sha256(new TextEncoder().encode(again.state)).slice(0, 12)}`; // told anew with each change
    for (const [at, problem] of again.problems.entries()) this.#room.warn(`${code}-${at}`, problem);
    const told = because === "message" ? changed.added : changed.added.filter((hook) => !waits.has(hook));
    const words = changeWords({ ...changed, added: told }, waits);
    if (words !== undefined) this.#room.warn(`${code}-changed`, words);
  }

  /** Once, before anything else is said to the model. */
  async #start(signal: AbortSignal): Promise<Fact[]> {
    if (this.#isStarted) return [];
    this.#isStarted = true;
    const asked = { event: "session-start", isResumed: this.#room.isResumed } as const;
    const { facts, contexts, says } = await this.#round(asked, signal);
    this.#atStart = [...contexts, ...says];
    return facts;
  }

  async #ask(asked: Asked, signal: AbortSignal, toolName?: string): Promise<Round> {
    const round = await this.#round(asked, signal, toolName);
    signal.throwIfAborted();
    return round;
  }

  async #round(asked: Asked, signal: AbortSignal, toolName?: string): Promise<Round> {
    const tool = toolName === undefined ? undefined : (this.#tools.get(toolName) ?? unknownTool(toolName));
    const { session, parent, workspace, environment, started } = this.#room;
    const called = this.#called(asked.event, tool).filter(({ hook }) => isFor(hook, asked));
    return askHooks(called, asked, {
      place: { session, workspace, ...(parent === undefined ? {} : { parent }) },
      workspace,
      environment,
      started,
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  #called(event: HookEvent, tool?: KnownTool): Called[] {
    return this.#hooks.flatMap((hook): Called[] => {
      if (!hook.on.includes(event) || !this.#isOfSession(hook)) return [];
      const calls = tool && hook.calls(tool);
      if (tool && calls === undefined) return [];
      return this.#isTrusted(hook) ? [{ hook, calls }] : [];
    });
  }

  #isOfSession({ of }: Hook): boolean {
    return of === undefined || (of === "subagent") === (this.#room.parent !== undefined);
  }

  /** Looked at each time: the files that it runs may have changed, and a person may have agreed meanwhile. */
  #isTrusted(hook: Hook): boolean {
    if (hook.where === undefined) return true;
    const brought = broughtBy(hook, hook.where, this.#room.workspace);
    const isTrusted = brought !== undefined && this.#room.trust.allows(brought);
    if (isTrusted) this.#trusted.add(hook);
    else if (this.#trusted.delete(hook)) this.#room.warn("untrusted-hook", changedWords(hook));
    return isTrusted;
  }

  async #diffFor(event: HookEvent, { changes }: Parameters<Sure<"beforeChange">>[0]): Promise<string> {
    if (this.#called(event).length === 0) return "";
    const { diffOf } = await import("../../tools/diff.ts"); // 5 ms, which most sessions never need
    return diffOf(changes).catch(() => ""); // somebody changes them just now
  }

  #tellFailures(facts: readonly Fact[]): void {
    for (const fact of facts)
      if (fact.type === "warning") this.#room.warn(fact.code, fact.text);
      else if (fact.type === "hook-ran" && fact.outcome !== "ok")
        this.#room.warn("hook-failed", `The hook ${fact.hook} (${fact.event}) failed: ${fact.because ?? ""}`);
  }
}

const uncountableWords = ({ name, where = "" }: Hook): string =>
  `${where}: the hook ${JSON.stringify(name)} cannot be agreed to, so it does not run: it may run more files of the workspace than are counted, or one that is too large or cannot be read.`;

const changedWords = ({ name }: Hook): string =>
  `The hook ${name} of this workspace does not run any more: it, or what it runs, has changed, or is not agreed to any more. Look with \`toolwright trust\`.`;

function isFor(hook: Hook, asked: Asked): boolean {
  const occasion = occasionOf(asked);
  return occasion === undefined || (hook.fits?.(occasion) ?? true);
}

const unknownTool = (name: string): KnownTool => ({ name, aliases: [], does: "read" });

/** With the result the model is told also of a no that came too late to refuse anything. */
const said = ({ facts, contexts, says }: Round) => ({ facts, words: [...contexts, ...says].map(wordsFor) });

const isTold = (words: string, messages: readonly Message[]): boolean =>
  messages.some(
    ({ role, content }) =>
      role === "user" && content.some((part) => part.type === "text" && part.text === words),
  );
