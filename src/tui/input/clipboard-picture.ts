/** Reads the picture in the clipboard with what the system has for that. */

import { sizeInWords } from "../../base/amounts.ts";
import { fileBounds } from "../../base/bounds.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { whyNotShown } from "../../base/picture.ts";
import { childEnvironment, runProcess } from "../../base/process.ts";
import type { ContentPart } from "../../protocol/messages.ts";

/** A clipboard that does not answer (its owner hangs) is given up, in milliseconds. */
const longestMs = 5_000;
const mediaType = "image/png";

/** `isBase64`: it prints the picture in base64, since its output is text. */
type ClipboardReader = { command: readonly string[]; isBase64?: true };

type ClipboardContext = {
  env: EnvironmentVariables;
  cwd: string;
  platform: NodeJS.Platform;
  signal: AbortSignal;
};

/** The problem says what is missing, and what to do instead. */
export async function clipboardPicture(context: ClipboardContext): Promise<Expected<ContentPart[]>> {
  const readers = readersFor(context);
  let isThere = false;
  for (const reader of readers) {
    const bytes = await outputOf(reader, context);
    if (context.signal.aborted) return refuse("Reading the clipboard was given up.");
    if (bytes === "missing") continue;
    isThere = true;
    if (bytes === "slow") return refuse("The clipboard did not answer: copy the picture again.");
    if (bytes === "large") return refuse("The picture in the clipboard is too large: attach a smaller one.");
    if (!isPng(bytes)) continue;
    const problem = whyNotShown(bytes, mediaType);
    if (problem !== undefined) return refuse(`The picture in the clipboard cannot be sent: ${problem}.`);
    return { ok: true, value: partsOf(bytes) };
  }
  if (isThere)
    return refuse("There is no picture in the clipboard. Text is pasted by the terminal's own key.");
  const names = readers.map(({ command }) => command[0]).join(" or ");
  return refuse(
    readers.length === 0
      ? "There is no clipboard here, as over ssh: name the picture's file with @, or drop it on the terminal."
      : `No program to read pictures from the clipboard was found: install ${names}, or name the picture's file with @.`,
  );
}

/** As an attached file is: its name for the person, and the picture. */
const partsOf = (bytes: Uint8Array): ContentPart[] => [
  {
    type: "text",
    text: `[Attached picture from the clipboard, ${sizeInWords(bytes.length)}]`,
    file: "picture from the clipboard",
  },
  { type: "image", mediaType, data: Buffer.from(bytes).toString("base64") },
];

function readersFor({ env, platform }: ClipboardContext): ClipboardReader[] {
  switch (platform) {
    case "darwin":
      return [{ command: ["pngpaste", "-"] }, { command: ["osascript", "-e", appleScript], isBase64: true }];
    case "win32":
      return [powershell];
    default:
      return [
        ...((env["WAYLAND_DISPLAY"] ?? "") === "" ? [] : [wayland]),
        ...((env["DISPLAY"] ?? "") === "" ? [] : [x11]),
        // Linux in Windows has the clipboard of Windows.
        ...((env["WSL_DISTRO_NAME"] ?? "") === "" ? [] : [powershell]),
      ];
  }
}

const wayland: ClipboardReader = { command: ["wl-paste", "--no-newline", "--type", mediaType] };
const x11: ClipboardReader = {
  command: ["xclip", "-selection", "clipboard", "-target", mediaType, "-out"],
};
const powershell: ClipboardReader = {
  command: [
    "powershell.exe",
    "-NoProfile",
    "-NonInteractive",
    "-STA",
    "-Command",
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing; $p = [Windows.Forms.Clipboard]::GetImage(); if ($p) { $m = New-Object IO.MemoryStream; $p.Save($m, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray()) }",
  ],
  isBase64: true,
};
/** Prints the data as hexadecimal digits in `«data PNGf…»`. */
const appleScript = "the clipboard as «class PNGf»";

async function outputOf(
  { command, isBase64 }: ClipboardReader,
  { env, cwd, signal }: ClipboardContext,
): Promise<Uint8Array | "missing" | "slow" | "large"> {
  const most = fileBounds.imageBytes.most;
  // As text it is up to twice as long; one more byte shows that it is too large.
  const limit = (isBase64 ? 2 * most + 1_000 : most) + 1;
  const maxKeep = 2 * limit;
  const { problem, exit, timedOut, flooded, output } = await runProcess({
    command,
    cwd,
    env: childEnvironment(env),
    signal,
    wallMs: longestMs,
    maxOutput: limit,
    maxKeep,
    keepErrors: 1_000,
  });
  if (timedOut) return "slow";
  if (flooded) return "large";
  if (problem !== undefined || exit === 127) return "missing";
  if (exit !== 0) return new Uint8Array();
  return isBase64 ? pictureIn(Buffer.from(output.bytes).toString("latin1")) : output.bytes;
}

function pictureIn(text: string): Uint8Array {
  const hex = /PNGf([0-9A-F]+)/u.exec(text)?.[1];
  return hex === undefined ? Buffer.from(text, "base64") : Buffer.from(hex, "hex");
}

const isPng = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 8)).equals(Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"));
