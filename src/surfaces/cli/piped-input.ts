/** The prompt of a headless run: from the command line, from standard input, or one below the other. */

import { bounds } from "../../base/bounds.ts";
import { type Expected, errorMessage } from "../../base/expected.ts";
import { decodeText } from "../../base/text.ts";
import type { Terminal } from "./terminal.ts";

/** More than this is a file to be read with tools, not a prompt. */
const mostBytes = bounds.screen.pipedBytes.most;
/** How long a pipe that nobody named may stay silent: programs often start others with a pipe they never use. */
const silenceMs = bounds.screen.pipedSilence.most;

/**
 * `-` is standard input alone, waited for as long as it takes. Any other prompt stands above what is piped in,
 * an empty line between them; a pipe that says nothing is left alone after two seconds.
 */
export async function readPrompt(prompt: string, terminal: Terminal): Promise<Expected<string>> {
  const only = prompt.trim() === "-";
  if (!only && !terminal.inputIsPiped) return { ok: true, value: prompt };
  const piped = await readAll(terminal, only ? undefined : silenceMs);
  if (!piped.ok) return piped;
  if (piped.value === undefined) {
    terminal.report("! Standard input is open but empty, so it is ignored; `-p -` waits for it.\n");
    return { ok: true, value: prompt };
  }
  const text = piped.value.trim() === "" ? "" : piped.value;
  if (!only) return { ok: true, value: text === "" ? prompt : `${prompt}\n\n${text}` };
  if (text !== "") return { ok: true, value: text };
  return { ok: false, problem: "Standard input is empty: pipe a prompt in, or give it with -p." };
}

/** All bytes of the input as text; undefined when nothing came in `firstWithinMs`. */
async function readAll(
  terminal: Terminal,
  firstWithinMs: number | undefined,
): Promise<Expected<string | undefined>> {
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
    return {
      ok: false,
      problem: `Standard input cannot be read (${errorMessage(error)}).`,
    };
  } finally {
    clearTimeout(timer);
  }
  const text = decodeText(Buffer.concat(chunks));
  if (text.kind === "text") return { ok: true, value: text.text };
  return {
    ok: false,
    problem: `Standard input is not UTF-8 text (${text.type}): give the path of a file in the prompt instead.`,
  };
}

/** An input that is left unread must not keep the process alive. */
function stopReading(terminal: Terminal): Expected<undefined> {
  release(terminal.input);
  return { ok: true, value: undefined };
}

function tooLarge(terminal: Terminal): Expected<never> {
  release(terminal.input);
  return {
    ok: false,
    problem: "Standard input is larger than 8 MB: name the file in the prompt, so that it is read in parts.",
  };
}

function release(input: NodeJS.ReadableStream): void {
  if ("destroy" in input && typeof input.destroy === "function") input.destroy();
}
