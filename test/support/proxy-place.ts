/** The proxy of the folder `deploy`: a real nginx with TLS, before gateways of this machine. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished } from "vitest";

type ProxyPlace = { url: string; port: number };

/** Requests of this process trust its certificate. `gateways`: their ports; they may start later. */
export async function proxyBefore(gateways: readonly number[], port: number): Promise<ProxyPlace> {
  const root = mkdtempSync(join(tmpdir(), "toolwright-proxy-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [certificate, key] = [join(root, "certificate.pem"), join(root, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...files], { stdio: "pipe" });
  trust(readFileSync(certificate, "utf8"));
  const settings = join(root, "nginx.conf");
  writeFileSync(settings, settingsFor({ root, port, gateways }));
  await run(settings, port);
  return { url: `https://localhost:${port}`, port };
}

function trust(certificate: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** As it is deployed, but for where things lie. */
function settingsFor({
  root,
  port,
  gateways,
}: {
  root: string;
  port: number;
  gateways: readonly number[];
}): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (what) => `${what}_temp_path ${root}/${what};`,
  );
  const given: readonly (readonly [string, string])[] = [
    ["pid /run/nginx.pid;", `pid ${root}/nginx.pid; daemon off;`],
    ["http {", `http {\n${temporary.join("\n")}`],
    ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["/etc/nginx/tls/", `${root}/`],
    ...gateways.map((at, index) => [`gateway-${index + 1}:4747`, `127.0.0.1:${at}`] as const),
  ];
  const text = readFileSync(new URL("../../deploy/nginx.conf", import.meta.url), "utf8");
  return given.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx.conf has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

/** Resolves when the port is open. */
async function run(settings: string, port: number): Promise<void> {
  const path = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
  const proxy = spawn("nginx", ["-c", settings], {
    env: { PATH: path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  proxy.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
  const ended = once(proxy, "exit");
  onTestFinished(async () => {
    proxy.kill("SIGTERM");
    await ended;
  });
  const failed = ended.then(() => Promise.reject(new Error(`nginx ended: ${told}`)));
  failed.catch(() => undefined);
  while (!(await Promise.race([isOpen(port), failed]))) continue;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
