/** The conversation as a screen: what it shows of the session at any time, and what its keys do there. */

import { visibleLine } from "../../base/visible-text.ts";
import type { KeySettings } from "../../configuration/key-settings.ts";
import { conversationCommands } from "../../configuration/options/conversation-commands.ts";
import type { Entry, Mode } from "../../protocol/facts.ts";
import type { CardOffer } from "../../tui/card.ts";
import type { Choice } from "../../tui/choice.ts";
import type { CompletionSources } from "../../tui/input/completions.ts";
import { type KeyBindings, keyBindings } from "../../tui/input/key-bindings.ts";
import { codeColours } from "../../tui/markdown/code-colours.ts";
import { MarkdownRows } from "../../tui/markdown/markdown-rows.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";
import { promptMarksFor } from "../../tui/screen/prompt-marks.ts";
import type { ScreenFigures } from "../../tui/screen/screen-tail.ts";
import { ScreenTerminal } from "../../tui/screen/screen-terminal.ts";
import type { TerminalHandlers } from "../../tui/terminal.ts";
import { shortCost } from "../../view/cost.ts";
import { fileHeading } from "../../view/review.ts";
import { shownText } from "../../view/shown-text.ts";
import { styleFor } from "../../view/style.ts";
import { argumentChoices } from "./argument-choices.ts";
import { ownStatus } from "./own-status.ts";
import { takeBack } from "./queue-commands.ts";
import { mode as setMode } from "./setting-commands.ts";
import { runSlashCommand } from "./slash-commands.ts";
import { subagentFigures } from "./subagents.ts";
import type { Talk, TalkContext } from "./talk.ts";

/** Whether the terminal can move its cursor, and a person is there to see it. */
export const canPaint = ({ inputIsTerminal, outputIsTerminal, env }: ProcessTerminal): boolean =>
  inputIsTerminal && outputIsTerminal && (env["TERM"] ?? "dumb") !== "dumb";

/** `talk` exists by the time that anything happens on the screen. */
export function openScreen(
  setup: TalkContext & { terminal: ProcessTerminal },
  handlers: TerminalHandlers,
  talk: () => Talk,
): ScreenTerminal {
  const { terminal, verbose, clock } = setup;
  const { env } = terminal;
  const look = {
    style: styleFor(env, true),
    links: showsLinks(env),
    unicode: showsUnicode(env),
    highlight: codeColours,
  };
  const { bindings, problem } = bindingsFor(setup.keys);
  const figures = keptFigures(talk);
  const own = setup.statusLine === undefined ? undefined : ownStatus(setup.statusLine, talk, terminal);
  const screen = new ScreenTerminal(
    {
      terminal,
      verbose,
      clock,
      bindings,
      unicode: look.unicode,
      promptMarks: promptMarksFor(env),
      completions: completionsOf(talk),
      said: () => saidBefore(talk),
      markdown: (columns) => new MarkdownRows({ ...look, columns }),
    },
    {
      ...handlers,
      nextMode: inTurn(() => nextMode(talk())),
      figures(told) {
        const known = figures(told);
        return own ? { ...known, own: own.row(known, told) } : known;
      },
      closed: () => own?.close(),
      works: () => talk().session.works(),
      subagent: (session) => subagentFigures(talk(), session),
      lastOutput: () => lastOutput(talk()),
      takeBack: () => takeBack(talk()),
      review: () => void reviewRequest(talk()),
      pastePicture: () => void pastePicture(talk(), env),
    },
  );
  if (problem !== undefined) screen.note(look.style.yellow(`! ${problem}`));
  return screen;
}

const completionsOf = (talk: () => Talk): CompletionSources => ({
  get workspace() {
    return talk().runtime.workspace;
  },
  async commands() {
    const { commands } = await talk().runtime.fileCommands.list();
    const own = conversationCommands.map(({ name, help }) => ({ name, says: help }));
    return [...own, ...commands.map(({ name, description }) => ({ name, says: visibleLine(description) }))];
  },
  choices: (command) => argumentChoices(talk(), command),
  async paths(signal) {
    const { workspacePaths } = await import("../../runtime/messages/workspace-paths.ts");
    return workspacePaths(talk().runtime.workspace, signal);
  },
  async symbols(query, signal) {
    const found = await talk().session.symbols(query, signal);
    return found.map(({ name, path, line, kind }) => ({ name, place: `${path}:${line}`, kind }));
  },
  touched: () => touchedIn(talk()),
});

/** Newest first. */
function touchedIn({ session }: Talk): Choice[] {
  const { seen } = session.state;
  return [...seen.keys()].toReversed().map((name) => ({ name, says: "read or changed here" }));
}

async function* saidBefore(talk: () => Talk): AsyncGenerator<string, void> {
  const { saidBefore: said } = await import("../../runtime/messages/said-before.ts");
  yield* said(talk().runtime);
}

/** Keys that cannot be used are told, and the usual ones count. */
function bindingsFor(settings: KeySettings | undefined): { bindings: KeyBindings; problem?: string } {
  const [own, usual] = [keyBindings(settings), keyBindings()];
  if (own.ok) return { bindings: own.value };
  if (!usual.ok) throw new Error(usual.problem);
  return { bindings: usual.value, problem: own.problem };
}

/** Attaches the picture in the clipboard to the next message. */
async function pastePicture(
  { attached, terminal, style, runtime }: Talk,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { clipboardPicture } = await import("../../tui/input/clipboard-picture.ts");
  const { signal } = new AbortController(); // the clipboard has its own bound
  const found = await clipboardPicture({ env, cwd: runtime.workspace, platform: process.platform, signal });
  if (!found.ok) return terminal.note(style.yellow(`! ${found.problem}`));
  attached.push(...found.value);
  return terminal.note(
    style.dim("The picture in the clipboard goes with your next message; /attach drop removes it."),
  );
}

const showsUnicode = (env: NodeJS.ProcessEnv): boolean => {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((name) => (name ?? "") !== "");
  return locale === undefined || /utf-?8/iu.test(locale);
};

/** Some terminals print OSC 8, and others, such as tmux by default, drop it together with the address. */
const showsLinks = (env: NodeJS.ProcessEnv): boolean =>
  env["TERM_PROGRAM"] !== "Apple_Terminal" &&
  !/^(?:linux|tmux|screen)/u.test(env["TERM"] ?? "") &&
  !env["TMUX"];

/** The modes between which a key changes; the others are chosen by name. */
const cycle: readonly Mode[] = ["ask", "accept-edits", "plan"];

/** Each time after what the time before has led to. */
function inTurn(work: () => Promise<void>): () => void {
  let before = Promise.resolve();
  return () => void (before = before.then(work));
}

const nextMode = (talk: Talk): Promise<void> =>
  setMode(talk, cycle[(cycle.indexOf(talk.session.mode) + 1) % cycle.length] ?? "ask");

/** What a call has returned or changed last, or the model has thought since. */
async function lastOutput({ session, runtime }: Talk): Promise<string | undefined> {
  const last = session.log.entries.findLast(
    (entry: Entry) => (entry.type === "reasoning" && entry.text !== "") || entry.type === "result",
  );
  if (last?.type === "reasoning") return last.text;
  if (last?.type !== "result") return undefined;
  const diff = last.metadata?.["diffPreview"];
  if (typeof diff === "string") return diff;
  const { wholeOutput } = await import("../../runtime/whole-output.ts");
  return wholeOutput(runtime.store, last);
}

/** The files that the last request changed, of each its diff, its undo, or kept for good; until the person looks away. */
async function reviewRequest(talk: Talk): Promise<void> {
  const { session, terminal, style } = talk;
  const unstyled = styleFor({}, false);
  let at = 0;
  while (!talk.busy) {
    const review = await session.review();
    if (!review.ok) return terminal.note(style.dim(visibleLine(review.problem)));
    const { turn, files } = review.value;
    const chosen = await terminal.choose({
      title: `Changed by request ${turn}`,
      choices: files.map((file) => ({ name: fileHeading(file, "pending", unstyled), says: "" })),
      at,
      keys: reviewKeys,
      lines: [],
      prompt: "",
    });
    const file = chosen?.type === "choice" ? files[chosen.at] : undefined;
    if (chosen?.type !== "choice" || !file) return undefined;
    at = chosen.at;
    await runSlashCommand(talk, `/${chosen.key ?? "diff"} ${turn} ${quotedPath(file.path)}`);
  }
}

const reviewKeys: readonly CardOffer[] = [
  { key: "d", words: "diff", answer: "diff" },
  { key: "u", words: "undo", answer: "undo", needs: "enter" },
  { key: "k", words: "keep for good", answer: "keep", needs: "enter" },
];

/** As a command line has it: never taken for a number or an option. */
const quotedPath = (path: string): string => (/\s/u.test(path) ? JSON.stringify(`./${path}`) : `./${path}`);

/** What takes a moment to find out. */
type LookedUp = Pick<ScreenFigures, "context" | "branch">;

/**
 * What takes a moment is looked up anew when the session has grown; until then the last stands. `told`: called when
 * there is something else to show.
 */
function keptFigures(talk: () => Talk): (told: () => void) => ScreenFigures {
  let known: LookedUp = { context: undefined, branch: undefined };
  let seen = "";
  let isLooking = false;
  const look = async (told: () => void): Promise<void> => {
    isLooking = true;
    const { session, runtime } = talk();
    const branch = await runtime.branch().catch(() => undefined);
    const report = await session.context().catch(() => undefined);
    const context = report && report.tokens / Math.max(1, report.limit);
    known = { context, branch: branch === undefined ? branch : visibleLine(branch) };
    isLooking = false;
    told();
  };
  return (told) => {
    const { session } = talk();
    const { turns, compactions } = session.state;
    const { answers = 0, endedAt = 0 } = turns.at(-1) ?? {};
    const now = [session.id, turns.length, answers, endedAt, compactions].join(" ");
    if (now !== seen && !isLooking) {
      seen = now;
      void look(told);
    }
    return { ...known, ...presentFigures(talk()) };
  };
}

function presentFigures({ session, isUncontained }: Talk): Omit<ScreenFigures, keyof LookedUp> {
  const { state } = session;
  return {
    mode: session.mode,
    model: visibleLine(session.model.name.slice(session.model.name.lastIndexOf("/") + 1)),
    cost: state.turns.length === 0 ? undefined : shortCost({ dollars: state.cost, unknown: state.unpriced }),
    isUncontained,
    todos: state.todos,
    queued: state.queue.map(({ content, when }) => ({
      text: content.flatMap((part) => (part.type === "text" ? [shownText(part)] : [])).join(" "),
      when,
    })),
  };
}
