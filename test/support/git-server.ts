/** A real server of git repositories over HTTPS, which tells what it was asked and with which login. */

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type GitServer = {
  port: number;
  /** The certificate by which its clients know it, as text. */
  certificate: string;
  /** `https://127.0.0.3:1/shop.git/info/refs`, with what came as a login. */
  asked: { address: string; login: string | undefined }[];
  /** Where bare repositories are served from. */
  directory: string;
  close(): void;
};

/** Who may have what is in `private.git`. */
export const gitLogin = { user: "ann", password: "s3cret-of-ann" };
const privateLogin = `Basic ${Buffer.from(`${gitLogin.user}:${gitLogin.password}`).toString("base64")}`;

/** Another address than loopback's first, which a contained command has for itself. */
export const gitHost = "127.0.0.2";
export const otherHost = "127.0.0.3";

export async function openGitServer(): Promise<GitServer> {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-git-server-"));
  const [key, certificate] = keyAndCertificate(directory);
  const asked: GitServer["asked"] = [];
  const server = createServer({ key, cert: certificate }, (request, response) => {
    const { url = "", headers } = request;
    asked.push({ address: `https://${headers.host}${url}`, login: headers.authorization });
    if (url.startsWith("/moved.git"))
      response
        .writeHead(302, { location: `https://${otherHost}:${portOf(server)}/shop.git${url.slice(10)}` })
        .end();
    else if (url.startsWith("/private.git") && headers.authorization !== privateLogin)
      response.writeHead(401, { "www-authenticate": 'Basic realm="private"' }).end();
    else serve(request, response, directory);
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return {
    port: portOf(server),
    certificate,
    asked,
    directory,
    close() {
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

function keyAndCertificate(directory: string): [string, string] {
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const names = `subjectAltName=IP:${gitHost},IP:${otherHost}`;
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=git";
  execFileSync("openssl", [...words.split(" "), "-addext", names, "-keyout", key, "-out", certificate], {
    stdio: "ignore",
  });
  return [readFileSync(key, "utf8"), readFileSync(certificate, "utf8")];
}

/** By git's own program for web servers. */
function serve(request: IncomingMessage, response: ServerResponse, directory: string): void {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const child = spawn("git", ["http-backend"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"],
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
      GIT_PROTOCOL: request.headers["git-protocol"]?.toString(),
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf("\r\n\r\n");
    for (const line of all.subarray(0, end).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.end(all.subarray(end + 4));
  });
}
