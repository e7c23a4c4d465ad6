/** Reads the prompt of a headless run: from the command line, standard input, or both, with piped pictures attached. */

import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { decodeText } from "../../base/text.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";
import { cliBounds } from "../bounds.ts";

/** Larger input is a file to read with tools and not a prompt. */
const mostBytes = cliBounds.pipedBytes.most;
/** How long a pipe may stay silent if the prompt is not `-`: programs often start others with a pipe they never use. */
const silenceMs = 2_000;

/** The prompt's text and a piped picture. */
export type HeadlessPrompt = { text: string; attached: ContentPart[] };

/**
 * `-` means standard input alone, without a timeout; the text is empty if that is. Any other prompt precedes the piped text, separated by an empty
 * line, or has the piped picture attached; a pipe that stays silent for two seconds is ignored.
 */
export async function readPrompt(
  prompt: string,
  terminal: ProcessTerminal,
): Promise<Expected<HeadlessPrompt>> {
  const only = prompt.trim() === "-";
  if (!only && !terminal.inputIsPiped) return promptResult(prompt);
  const piped = await readAll(terminal, only ? undefined : silenceMs);
  if (!piped.ok) return piped;
  if (piped.value === undefined) {
    terminal.report("! Standard input is open but empty, so it is ignored; `-p -` waits for it.\n");
    return promptResult(prompt);
  }
  const decoded = decodeText(piped.value);
  if (decoded.kind === "binary") return withPicture(piped.value, { type: decoded.type, only, prompt });
  const text = decoded.text.trim() === "" ? "" : decoded.text;
  if (!only) return promptResult(text === "" ? prompt : `${prompt}\n\n${text}`);
  return promptResult(text);
}

const promptResult = (text: string, attached: ContentPart[] = []): Expected<HeadlessPrompt> => ({
  ok: true,
  value: { text, attached },
});

type Binary = { type: string; only: boolean; prompt: string };

async function withPicture(
  bytes: Uint8Array,
  { type, only, prompt }: Binary,
): Promise<Expected<HeadlessPrompt>> {
  if (!type.startsWith("image/"))
    return refuse(
      `Standard input is not UTF-8 text (${type}): give the path of a file in the prompt instead.`,
    );
  if (only) return refuse('Standard input is a picture: say what to do with it with -p "…".');
  const { attachBytes } = await import("../../runtime/messages/attachments.ts");
  const picture = attachBytes(bytes, { name: "standard input", shown: "The picture on standard input" });
  return picture.ok ? promptResult(prompt, picture.value) : picture;
}

/** Reads the whole input; undefined if nothing arrives within `firstWithinMs`. */
async function readAll(
  terminal: ProcessTerminal,
  firstWithinMs: number | undefined,
): Promise<Expected<Buffer | undefined>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const silent = Symbol("silent");
  const silence = Promise.withResolvers<typeof silent>();
  const timer =
    firstWithinMs === undefined ? undefined : setTimeout(() => silence.resolve(silent), firstWithinMs);
  const reader = terminal.input[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([reader.next(), silence.promise]);
      if (typeof next === "symbol") return stopReading(terminal);
      clearTimeout(timer);
      if (next.done) break;
      const chunk = Buffer.from(next.value);
      bytes += chunk.length;
      if (bytes > mostBytes) return tooLarge(terminal);
      chunks.push(chunk);
    }
  } catch (error) {
    return refuse(`Standard input cannot be read (${errorMessage(error)}).`);
  } finally {
    clearTimeout(timer);
  }
  return { ok: true, value: Buffer.concat(chunks) };
}

function stopReading(terminal: ProcessTerminal): Expected<undefined> {
  releaseInput(terminal.input);
  return { ok: true, value: undefined };
}

function tooLarge(terminal: ProcessTerminal): Expected<never> {
  releaseInput(terminal.input);
  return refuse(
    "Standard input is larger than 8 MB: name the file in the prompt, so that it is read in parts.",
  );
}

/** Stops listening: an input that nobody reads would keep the process alive. */
export function releaseInput(input: NodeJS.ReadableStream): void {
  if ("destroy" in input && typeof input.destroy === "function") input.destroy();
}
