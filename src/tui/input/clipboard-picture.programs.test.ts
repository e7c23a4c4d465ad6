/** Tests reading a picture from the clipboard, with programs that answer as those of the systems do. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testPng } from "../../testing/pictures.ts";
import { clipboardPicture } from "./clipboard-picture.ts";

const wayland = { WAYLAND_DISPLAY: "wayland-0" };
const x11 = { DISPLAY: ":0" };

/** Scripts of these programs are the only ones in the path; `$PNG` is a picture. */
async function reading(
  scripts: Readonly<Record<string, string>>,
  how: { env?: Record<string, string>; platform?: NodeJS.Platform; png?: Buffer; signal?: AbortSignal } = {},
) {
  const directory = await mkdtemp(join(tmpdir(), "clipboard-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const png = join(directory, "picture.png");
  await writeFile(png, how.png ?? testPng());
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(directory, name), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`, { mode: 0o755 });
  return clipboardPicture({
    env: { PATH: directory, PNG: png, ...(how.env ?? wayland) },
    cwd: directory,
    platform: how.platform ?? "linux",
    signal: how.signal ?? new AbortController().signal,
  });
}

const found = {
  ok: true,
  value: [
    { type: "text", text: expect.stringContaining("from the clipboard"), file: "picture from the clipboard" },
    { type: "image", mediaType: "image/png", data: testPng().toString("base64") },
  ],
};

test("each system's program gives the picture", async () => {
  expect(await reading({ "wl-paste": 'cat "$PNG"' })).toEqual(found);
  expect(await reading({ xclip: 'cat "$PNG"' }, { env: { ...wayland, ...x11 } })).toEqual(found);
  expect(await reading({ pngpaste: 'cat "$PNG"' }, { platform: "darwin" })).toEqual(found);
  expect(await reading({ "powershell.exe": 'base64 "$PNG"' }, { platform: "win32" })).toEqual(found);
  const hex = `printf '«data PNGf'; od -An -v -tx1 "$PNG" | tr -d ' \\n' | tr a-f A-F; printf '»\\n'`;
  expect(await reading({ osascript: hex }, { platform: "darwin" })).toEqual(found);
});

test("without a picture, a program or a clipboard it says so, and what to do", async () => {
  const problem = async (...given: Parameters<typeof reading>) => {
    const read = await reading(...given);
    return read.ok ? "" : read.problem;
  };
  expect(await problem({ "wl-paste": "echo 'No suitable type' >&2; exit 1" })).toContain(
    "There is no picture",
  );
  expect(await problem({ "wl-paste": "echo some text" })).toContain("There is no picture");
  expect(await problem({})).toContain("install wl-paste");
  expect(await problem({}, { env: {} })).toContain("There is no clipboard here");
  const large = { "wl-paste": "head -c 100000000 /dev/zero" };
  expect(await problem(large)).toContain("too large");
  expect(await problem({ "wl-paste": 'cat "$PNG"' }, { png: testPng().subarray(0, 30) })).toContain(
    "damaged",
  );
});

test("a clipboard that does not answer is given up by a key", async () => {
  const giving = new AbortController();
  const read = reading({ "wl-paste": "sleep 60" }, { signal: giving.signal });
  giving.abort();
  expect(await read).toEqual({ ok: false, problem: "Reading the clipboard was given up." });
});
