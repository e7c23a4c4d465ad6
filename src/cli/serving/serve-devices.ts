/** `toolwright serve devices`: lists the signed-in browsers, and signs one out; also while no gateway runs. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Expected, refuse } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { type Device, Devices } from "../../gateway/devices.ts";
import { runningGateway } from "../../gateway/running-file.ts";
import { devices as reported } from "../../remote/api-values.ts";
import { timeWords } from "../../view/session-markdown.ts";
import { columns, usageError, type CliContext, failWith, printAnswer } from "../cli-context.ts";
import { askGateway, tokenPathIn } from "./asking-gateway.ts";

/** The file of the signed-in browsers. */
export const devicesPathIn = (stateDir: string): string => join(stateDir, "gateway-devices.json");

/** `words`: what follows "devices". */
export async function runDevices(context: CliContext, words: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const [word, id, ...more] = words;
  if (word === undefined) return listDevices(context);
  if (word !== "revoke" || id === undefined || more.length > 0)
    return usageError(
      terminal,
      "toolwright serve devices lists them, toolwright serve devices revoke ID signs one out.",
    );
  const revoked = await (await signedInAt(settings.stateDir)).revoke(id);
  if (!revoked.ok || !revoked.value) return failWith(terminal, revoked.ok ? noSuch(id) : revoked.problem);
  return printAnswer(context, { revoked: id }, () => `Signed out ${id}.`);
}

const noSuch = (id: string): string =>
  `No browser ${JSON.stringify(id.slice(0, 50))} is signed in: toolwright serve devices lists them.`;

async function listDevices(context: CliContext): Promise<number> {
  const all = await (await signedInAt(context.settings.stateDir)).list();
  if (!all.ok) return failWith(context.terminal, all.problem);
  const devices = all.value.map(({ id, name, since, seen }) => ({ id, name, since, seen }));
  return printAnswer(context, { devices }, () => deviceLines(devices));
}

function deviceLines(all: readonly Device[]): string[] {
  if (all.length === 0) return ["No browser is signed in: toolwright serve link prints a link for one."];
  const rows = all.map(({ id, name, since, seen }) => [
    id,
    visibleLine(name),
    `signed in ${timeWords(since)}`,
    `last used ${timeWords(seen)}`,
  ]);
  return [...columns(rows), "", "toolwright serve devices revoke ID signs one out; serve --new-token all."];
}

type SignedInDevices = {
  list: () => Promise<Expected<Device[]>>;
  revoke: (id: string) => Promise<Expected<boolean>>;
};

/** As the running gateway has them, otherwise as its file does. */
async function signedInAt(stateDir: string): Promise<SignedInDevices> {
  const running = await runningGateway(stateDir);
  if (!running) return storedIn(stateDir);
  return {
    async list() {
      const reply = await askGateway(stateDir, running, { method: "GET", path: "/devices" });
      if (!reply.ok) return reply;
      const read = z.safeParse(reported, reply.value.value);
      if (read.success) return { ok: true, value: read.data.devices };
      return refuse(`The gateway at ${running.url} did not list them (status ${reply.value.status}).`);
    },
    async revoke(id) {
      const path = `/devices/${encodeURIComponent(id)}`;
      const reply = await askGateway(stateDir, running, { method: "DELETE", path });
      if (!reply.ok) return reply;
      const { status } = reply.value;
      if (status === 204 || status === 404) return { ok: true, value: status === 204 };
      return refuse(`The gateway at ${running.url} could not do that (status ${status}): its log says why.`);
    },
  };
}

async function storedIn(stateDir: string): Promise<SignedInDevices> {
  const secret = await readFile(tokenPathIn(stateDir), "utf8").catch(() => "");
  const problems: string[] = [];
  const setup = { path: devicesPathIn(stateDir), log: (line: string) => void problems.push(line) };
  const stored = await Devices.open({ ...setup, secret: secret.trim() });
  return {
    list: async () => {
      const [problem] = problems;
      return problem === undefined ? { ok: true, value: stored.list() } : refuse(problem);
    },
    revoke: (id) => stored.revoke(id),
  };
}
