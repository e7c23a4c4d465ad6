/** The first lines of a conversation: its settings, and where a resumed session left off. */

import { conversation } from "../../../protocol/session-state.ts";
import { openingWarnings } from "../../../runtime/opening-warnings.ts";
import { version } from "../../../runtime/options/version.ts";
import { untrustedNotice } from "../../../runtime/trust/words.ts";
import { withoutReason } from "../../view/blocks.ts";
import { blockLines } from "../../view/plain.ts";
import { visibleLine, visibleText } from "../../view/visible.ts";
import type { Talk } from "./talk.ts";

/** How many lines of an earlier request are repeated. */
const shownRequest = 5;

export async function greet(talk: Talk): Promise<void> {
  const { runtime, session, style, printer } = talk;
  const notice =
    runtime.model.notice === undefined || runtime.warnings.includes(runtime.model.notice)
      ? []
      : [runtime.model.notice];
  const isTrusted = session.mode === "trusted";
  const sandbox = isTrusted
    ? { kind: "none" as const, because: "the mode is trusted" }
    : await runtime.sandbox();
  const undo = isTrusted ? undefined : await runtime.layers();
  printer.note(
    style.bold(`Toolwright ${version}`) + (isTrusted ? style.yellow(trustedTitle) : ""),
    `model      ${visibleLine(runtime.model.name)}`,
    `workspace  ${visibleLine(runtime.workspace)}`,
    `mode       ${session.mode}`,
    `sandbox    ${sandbox.kind === "none" ? style.yellow("none") : `${sandbox.kind} ${sandbox.version}`}`,
    `session    ${session.id}`,
    style.dim("Say what to do. /help lists commands, Ctrl-C interrupts, Ctrl-D exits."),
    ...(sandbox.kind === "none" && !isTrusted ? withoutSandbox(sandbox.because).map(style.yellow) : []),
    ...(undo === undefined || undo.works ? [] : [style.yellow(undoInPart(undo.because))]),
    ...untrusted(talk),
    ...[...runtime.warnings, ...openingWarnings(session.log.entries), ...notice].map((warning) =>
      style.yellow(`! ${visibleLine(warning)}`),
    ),
  );
  printer.quote(...lastExchange(talk), "");
}

function untrusted({ runtime, style }: Talk): string[] {
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
function lastEnding({ printer, style }: Talk): string[] {
  const { blocks } = printer.transcript;
  const ending = blocks.findLast(({ type }) => type === "user" || type === "ending");
  if (ending?.type !== "ending") return [];
  const text = blocks.findLast(({ type }) => type === "user" || type === "text");
  const saidOurselves = text?.type === "text" && text.by === "toolwright";
  const lines = blockLines(saidOurselves ? withoutReason(ending) : ending, style);
  return lines.length === 0 ? [] : ["", ...lines];
}
