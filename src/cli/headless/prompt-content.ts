/** What the prompt of a headless run means: the commands and files that it names, and what is attached to it. */

import { type Expected, refuse } from "../../base/expected.ts";
import { homeDirectory, realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { mayMeanMore, meantBy } from "../../runtime/messages/expand-message.ts";
import { type CliContext } from "../cli-context.ts";
import { unmetWords, waitingWords } from "../conversation/attaching.ts";
import { toldWhenSlow } from "../slow.ts";
import type { HeadlessPrompt } from "./piped-input.ts";

/** Piped text is untrusted data: only the prompt itself can invoke commands and mention files. */
export async function contentOf(
  context: CliContext,
  { text: said, attached: piped }: HeadlessPrompt,
): Promise<Expected<ContentPart[]>> {
  const { settings, terminal } = context;
  const written = settings.prompt ?? "";
  const meant = await meantHere(context, written);
  if (!meant.ok) return meant;
  const [words, ...mentioned] = meant.value;
  const prompt = words?.type === "text" ? words.text : written;
  const text = said.startsWith(written) ? prompt + said.slice(written.length) : said;
  const typed = words?.type === "text" && words.typed !== undefined ? { typed: said } : {};
  const message: ContentPart = { type: "text", text, ...typed };
  const beside = [...mentioned, ...piped];
  if (settings.attach.length === 0) return { ok: true, value: [message, ...beside] };
  const { attachPaths } = await import("../../runtime/messages/attachments.ts");
  const place = { ...(await placeIn(context)), from: terminal.cwd };
  const attached = await attachPaths(settings.attach, place, mentioned);
  const [problem] = attached.problems;
  if (problem !== undefined) return refuse(problem);
  return { ok: true, value: [message, ...beside, ...attached.content] };
}

async function placeIn({ settings, terminal }: Pick<CliContext, "settings" | "terminal">) {
  const { objectionsIn } = await import("../../runtime/reading.ts");
  const workspace = await realWorkspace(settings.workspace);
  const home = homeDirectory(terminal.env);
  return { workspace, objection: objectionsIn(settings, { workspace, home }) };
}

/**
 * Runs before anything is opened, so that an unsendable prompt leaves no session behind. Prints which file a command
 * is.
 */
async function meantHere(
  { settings, terminal }: CliContext,
  prompt: string,
): Promise<Expected<ContentPart[]>> {
  const written: ContentPart[] = [{ type: "text", text: prompt }];
  if (!mayMeanMore(written)) return { ok: true, value: written };
  const [{ fileCommandsIn }, { toolServersIn, withPrompts }] = await Promise.all([
    import("../../runtime/messages/file-commands.ts"),
    import("../../runtime/addons/tool-servers.ts"),
  ]);
  const ofFiles = await fileCommandsIn(settings, terminal.env);
  const commands = withPrompts(ofFiles, await toolServersIn(settings, terminal.env));
  const context = { commands, ...(await placeIn({ settings, terminal })) };
  const meant = await toldWhenSlow(
    () => meantBy(written, context, { onlyInside: true }),
    () => settings.output === "text" && terminal.report(`${waitingWords(written)}\n`),
  );
  if (!meant.ok) return meant;
  const { content, called, unmet } = meant.value;
  if (unmet.length > 0 && settings.output === "text") terminal.report(`! ${unmetWords(unmet)}\n`);
  if (called && settings.output === "text")
    terminal.report(`/${visibleLine(called.name)}: ${visibleLine(called.path)}\n`);
  if (called?.unheeded !== undefined && settings.output === "text")
    terminal.report(`! ${visibleLine(called.unheeded)}\n`);
  return { ok: true, value: content };
}
