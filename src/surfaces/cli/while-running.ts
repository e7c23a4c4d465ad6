/** What a person types while a turn runs: messages for it or for afterwards, and commands that do not disturb it. */
import type { Delivery } from "../../protocol/facts.ts";
import { visibleLine } from "../view/visible.ts";
import { isSlashCommand, runBeside } from "./slash-commands.ts";
import type { Talk } from "./talk.ts";

/** From now on what is typed is for the turn that runs. */
export function listenWhileRunning(talk: Talk): void {
  talk.input.deliverTo((text, when) => {
    talk.sending = talk.sending
      .then(() => typed(talk, text, when))
      .catch((error: unknown) => {
        const words = error instanceof Error ? error.message : String(error);
        talk.printer.note(talk.style.red(`! ${visibleLine(words)}`));
      });
  });
}

/** From now on it is for the next prompt. Resolves when everything that was typed before has been sent. */
export async function listenNoMore(talk: Talk): Promise<void> {
  talk.input.deliverTo(undefined);
  await talk.sending;
}

async function typed(talk: Talk, text: string, when: Delivery): Promise<void> {
  const { printer, style, session } = talk;
  if (isSlashCommand(text)) return runBeside(talk, text.trim());
  if (/^(?:exit|quit)$/iu.test(text.trim()))
    return printer.note(style.yellow("! A request is running: Ctrl-C interrupts it, then you can leave."));
  const sent = await session.command({ type: "send", content: [{ type: "text", text }], when });
  if (!sent.ok) printer.note(style.yellow(`! ${visibleLine(sent.problem)}`));
}
