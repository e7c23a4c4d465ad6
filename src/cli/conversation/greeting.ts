/** The first lines of a conversation: its settings, and where a resumed session left off. */

import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { countOf } from "../../base/amounts.ts";
import { errorMessage } from "../../base/expected.ts";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import { version } from "../../configuration/options/version.ts";
import { conversation } from "../../protocol/session-state.ts";
import { openingWarnings } from "../../runtime/opening-warnings.ts";
import { untrustedNotice } from "../../trust/words.ts";
import { withoutReason } from "../../view/blocks.ts";
import { blockLines } from "../../view/plain.ts";
import { shortId } from "../sessions/words.ts";
import type { Talk } from "./talk.ts";

/** How many lines of an earlier request are repeated. */
const shownRequest = 5;

/** Returns at once; what the trial of the sandbox finds is told when it has ended, and `talk.introduced` waits for it. */
export async function greet(talk: Talk): Promise<void> {
  const { runtime, session, style, terminal } = talk;
  const notice =
    runtime.model.notice === undefined || runtime.warnings.includes(runtime.model.notice)
      ? []
      : [runtime.model.notice];
  const isTrusted = session.mode === "trusted";
  const finding = isTrusted ? Promise.resolve(trustedContainment(talk)) : soon(talk);
  const found = await Promise.race([
    finding,
    new Promise<undefined>((resolve) => setImmediate(resolve, undefined)),
  ]);
  terminal.note(
    style.bold(`Toolwright ${version}`) +
      (terminal.hasStatus ? style.dim(headline(talk)) : "") +
      (isTrusted ? style.yellow(trustedTitle) : ""),
    ...(terminal.hasStatus ? [] : introduction(talk, found)),
    ...(found?.warnings ?? []),
    ...trustNotice(talk),
    ...[...runtime.warnings, ...openingWarnings(session.log.entries), ...notice].map((warning) =>
      style.yellow(`! ${visibleLine(warning)}`),
    ),
  );
  showLastRequests(talk);
  if (found === undefined)
    talk.introduced = finding
      .then((late) => tellLater(talk, late))
      .catch((error: unknown) =>
        tellLater(talk, {
          line: lineOf(style.yellow("none")),
          warnings: [`! ${visibleLine(errorMessage(error))}`],
        }),
      );
}

/** On a screen the prompt comes first: what tries the sandbox is loaded behind its first frame. */
async function soon(talk: Talk): ReturnType<typeof findContainment> {
  if (talk.terminal.hasStatus) await pause(behindFirstFrameMs);
  return findContainment(talk);
}

const behindFirstFrameMs = 5;

/** A screen shows requests as they were; elsewhere the last one is told in lines. What was before is only counted. */
export function showLastRequests(talk: Talk): void {
  const { terminal } = talk;
  if (terminal.replay((requests) => tellEarlier(talk, requests))) return;
  tellEarlier(talk, 1);
  terminal.quote(...lastExchange(talk), "");
}

function tellEarlier({ session, terminal, style }: Talk, shown: number): void {
  const earlier = session.state.turns.length - shown;
  if (earlier <= 0) return;
  const are = earlier === 1 ? "is" : "are";
  const how = `toolwright sessions show ${shortId(session.id)} prints them all, /export writes them into a file.`;
  terminal.note(style.dim(`${countOf(earlier, "earlier request")} ${are} not shown: ${how}`));
}

/** " · gpt-5 (openai) · ~/shop": the session is named where one leaves it. */
function headline({ runtime }: Talk): string {
  const [provider = "", ...name] = visibleLine(runtime.model.name).split("/");
  const model = name.length === 0 ? provider : `${name.join("/")} (${provider})`;
  return ` · ${model} · ${visibleLine(asInShell(runtime.workspace))}`;
}

const asInShell = (path: string): string => {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};

/** What a screen has in its status. */
const introduction = ({ runtime, session, style }: Talk, found: ContainmentNotice | undefined): string[] => [
  `model      ${visibleLine(runtime.model.name)}`,
  `workspace  ${visibleLine(runtime.workspace)}`,
  `mode       ${session.mode}`,
  ...(session.reasoning === "default" ? [] : [`reasoning  ${session.reasoning}`]),
  ...(found ? [found.line] : []),
  `session    ${session.id}`,
  style.dim("Say what to do. /help lists commands, Ctrl-C interrupts, Ctrl-D exits."),
];

/** What contains the commands: a line of the greeting, and what is missing. */
type ContainmentNotice = { line: string; warnings: readonly string[] };

const trustedContainment = ({ style }: Talk): ContainmentNotice => ({
  line: lineOf(style.yellow("none")),
  warnings: [],
});

/** The first look of a day or so tries out several programs. */
async function findContainment(talk: Talk): Promise<ContainmentNotice> {
  const { runtime, style } = talk;
  const sandbox = await runtime.sandbox();
  talk.isUncontained = sandbox.kind === "none";
  const undo = await runtime.overlays();
  return {
    line: lineOf(sandbox.kind === "none" ? style.yellow("none") : `${sandbox.kind} ${sandbox.version}`),
    warnings: [
      ...(sandbox.kind === "none" ? withoutSandbox(sandbox.because).map(style.yellow) : []),
      ...(undo === undefined || undo.works ? [] : [style.yellow(undoInPart(undo.because))]),
    ],
  };
}

const lineOf = (words: string): string => `sandbox    ${words}`;

function tellLater({ terminal }: Talk, { line, warnings }: ContainmentNotice): void {
  const lines = terminal.hasStatus ? warnings : [line, ...warnings];
  if (lines.length > 0) terminal.announce(...lines);
}

function trustNotice({ runtime, style }: Talk): string[] {
  const notice = untrustedNotice(runtime.trust.waiting());
  return notice ? [style.yellow(`! ${notice.text.replace("`toolwright trust`", "/trust")}`)] : [];
}

const withoutSandbox = (because: string): string[] => [
  `! ${visibleLine(because)}.`,
  "! Until then commands run uncontained, and each one that does more than read asks first. In a container, --mode trusted asks nothing.",
];

const trustedTitle = " in the mode trusted: commands run as you, and nothing asks";

const undoInPart = (because: string): string =>
  `! Undo covers what commands change only in part: ${visibleLine(because)}.`;

/** Empty for a new session. */
function lastExchange(talk: Talk): string[] {
  const { session, style } = talk;
  const said = conversation(session.state);
  const request = said.findLast(({ role }) => role === "user");
  if (!request) return [];
  const answer = said.slice(said.lastIndexOf(request) + 1).find(({ role }) => role === "assistant");
  const lines = visibleText(request.text.trimEnd()).split("\n");
  const left = lines.length - shownRequest;
  return [
    "",
    style.dim("The last exchange of this session:"),
    ...lines.slice(0, shownRequest).map((line) => style.bold(`> ${line}`)),
    ...(left > 0 ? [style.dim(`  (${left} more lines)`)] : []),
    ...(answer ? visibleText(answer.text.trimEnd()).split("\n") : []),
    ...lastEnding(talk),
  ];
}

/** How the last request ended, if that is worth a line; the reason only if it has not been printed already. */
function lastEnding({ terminal, style }: Talk): string[] {
  const { blocks } = terminal;
  const ending = blocks.findLast(({ type }) => type === "user" || type === "ending");
  if (ending?.type !== "ending") return [];
  const text = blocks.findLast(({ type }) => type === "user" || type === "text");
  const saidOurselves = text?.type === "text" && text.by === "toolwright";
  const lines = blockLines(saidOurselves ? withoutReason(ending) : ending, style);
  return lines.length === 0 ? [] : ["", ...lines];
}
