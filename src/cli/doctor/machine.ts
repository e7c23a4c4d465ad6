/** Doctor's checks of the machine: programs, terminals, the clock, network access. */

import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { release } from "node:os";
import { fileBounds } from "../../base/bounds.ts";
import { type OpenPty, openPty } from "../../base/terminal/pty.ts";
import { versionTimeMs } from "../../runtime/bounds.ts";
import { type CliContext } from "../cli-context.ts";
import type { DoctorFinding } from "./finding.ts";

const oldestNode = 24;

export function nodeVersion(version: string): DoctorFinding {
  const found = Number.parseInt(version, 10);
  if (found >= oldestNode) return { check: "Node", state: "ok", words: version };
  return { check: "Node", state: "fail", words: version, fix: `install Node ${oldestNode} or newer` };
}

export async function program(check: string, path: string, fix: string): Promise<DoctorFinding> {
  const version = await versionOf(path);
  if (version === undefined) return { check, state: "warn", words: "not found", fix };
  return { check, state: "ok", words: version };
}

const bundledRipgrep = (): Promise<string | undefined> =>
  import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );

/** Checks the bundled ripgrep, else the system's. */
export async function ripgrep(bundledAt = bundledRipgrep): Promise<DoctorFinding> {
  const check = "ripgrep";
  const bundled = await bundledAt();
  const brought = bundled === undefined ? undefined : await versionOf(bundled);
  if (brought !== undefined) return { check, state: "ok", words: brought };
  const found = await program(check, "rg", "searches use a slower built-in one; install it to speed them up");
  const isThere = bundled !== undefined && (await stat(bundled).catch(() => undefined)) !== undefined;
  if (!isThere) return found;
  const words = `the bundled one cannot be run (${bundled}); of the system: ${found.words}`;
  return { ...found, words, fix: `run \`chmod +x ${bundled}\`, or reinstall Toolwright` };
}

/** The first line of `--version`. */
function versionOf(path: string): Promise<string | undefined> {
  const options = { timeout: versionTimeMs, encoding: "utf8" } as const;
  return new Promise((resolve) => {
    execFile(path, ["--version"], options, (error, output) => {
      resolve(error ? undefined : output.split("\n")[0]?.trim());
    });
  });
}

/** Runs a program on one, because the package may be installed without its native part. */
export async function terminals(open: OpenPty = openPty, waitMs = 5_000): Promise<DoctorFinding> {
  const check = "terminals";
  const ended = Promise.withResolvers<string | undefined>();
  const opened = await open({
    command: [process.execPath, "--version"],
    cwd: "/",
    env: {},
    columns: 80,
    rows: 24,
    onOutput: () => undefined,
    onEnd: ({ exit }) => ended.resolve(exit === 0 ? undefined : "none: a program on one failed"),
  });
  if (!opened.ok) return { check, state: "warn", words: opened.problem, fix: mendTerminals };
  const timer = setTimeout(() => ended.resolve("none: a program on one does not end"), waitMs);
  const problem = await ended.promise;
  clearTimeout(timer);
  return problem === undefined
    ? { check, state: "ok", words: "work" }
    : { check, state: "warn", words: problem, fix: mendTerminals };
}

const mendTerminals = "install Toolwright again, with its optional packages";

/** The terminal in which doctor runs. */
export function screen({ terminal }: CliContext): DoctorFinding {
  const { env, inputIsTerminal, outputIsTerminal } = terminal;
  const check = "screen";
  if (!inputIsTerminal || !outputIsTerminal)
    return { check, state: "ok", words: "not a terminal: conversations need one, -p does not" };
  const name = env["TERM"] ?? "";
  const words = `${name || "unnamed"}, ${terminal.columns()} columns${env["NO_COLOR"] ? ", without colours (NO_COLOR)" : ""}`;
  if (name === "" || name === "dumb")
    return { check, state: "warn", words, fix: "set TERM, such as TERM=xterm-256color" };
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (/utf-?8/iu.test(locale) || process.platform !== "linux") return { check, state: "ok", words };
  return {
    check,
    state: "warn",
    words: `${words}, and not UTF-8 (${locale || "no locale is set"})`,
    fix: "set LANG, such as LANG=C.UTF-8, or letters beyond ASCII may look wrong",
  };
}

const youngest = Date.UTC(2026, 0, 1);
const oldest = Date.UTC(2100, 0, 1);

/** Certificates, limits and the order of sessions depend on the clock. */
export function clock(now: number = Date.now()): DoctorFinding {
  const check = "clock";
  const words = new Date(now).toISOString().slice(0, 16).replace("T", " ");
  if (now >= youngest && now < oldest) return { check, state: "ok", words: `${words} UTC` };
  return {
    check,
    state: "warn",
    words: `it says ${words} UTC`,
    fix: "set it: with a wrong one servers' certificates are refused",
  };
}

export const system = (): DoctorFinding => ({
  check: "system",
  state: "ok",
  words: `${process.platform} ${release()} ${process.arch}`,
});

const proxyNames = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"];

/** The proxies and certificates named by the environment, with secrets removed. */
export async function network(env: CliContext["terminal"]["env"]): Promise<DoctorFinding[]> {
  const named = proxyNames.flatMap((name) => {
    const value = env[name] || env[name.toLowerCase()];
    return value ? [{ name, value }] : [];
  });
  const broken = named.find(({ name, value }) => name !== "NO_PROXY" && !isProxy(value));
  const words = named.map(({ name, value }) => `${name} ${withoutLogin(value)}`).join(", ");
  const proxy: DoctorFinding =
    broken === undefined
      ? { check: "proxy", state: "ok", words: words || "none" }
      : {
          check: "proxy",
          state: "warn",
          words: `${broken.name} is not the address of a proxy`,
          fix: "write it like http://proxy.example:8080",
        };
  const certificates = await Promise.all(
    ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].map((name) => certificate(name, env[name])),
  );
  const isOpen = env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0";
  const unchecked: DoctorFinding = {
    check: "certificates",
    state: "warn",
    words: "NODE_TLS_REJECT_UNAUTHORIZED=0: the servers that get your keys are not verified",
    fix: "unset it, and name your own authority with NODE_EXTRA_CA_CERTS",
  };
  return [proxy, ...certificates.flat(), ...(isOpen ? [unchecked] : [])];
}

const isProxy = (value: string): boolean => URL.canParse(value) && /^(?:https?|socks\w*):/u.test(value);
export const withoutLogin = (value: string): string => value.replace(/\/\/[^@/]*@/u, "//…@");

async function certificate(name: string, path: string | undefined): Promise<DoctorFinding[]> {
  if (path === undefined || path === "") return [];
  const check = "certificates";
  const text = await stat(path)
    .then(({ size }) =>
      size < fileBounds.configuration.most ? readFile(path, "utf8") : "-----BEGIN CERTIFICATE-----",
    )
    .catch(() => undefined);
  if (text?.includes("-----BEGIN ")) return [{ check, state: "ok", words: `${name} ${path}` }];
  const words = `${name} names ${path}, which ${text === undefined ? "cannot be read" : "holds no certificate"}`;
  return [{ check, state: "warn", words, fix: "name a file of certificates in PEM, or unset it" }];
}
