/** Installs reach registries, only through our proxy, and nothing else. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  makePlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  removePlace,
  removeTools,
  requestFor,
  runOne,
  type Tools,
  write,
} from "../support/sandbox-place.ts";
import { snapshotOf } from "../support/sandbox-snapshot.ts";

let tools: Tools;
let registry: Server;
let port: number;
let asked: string[];

/** Not 127.0.0.1, which stays inside the sandbox and bypasses the proxy. */
const host = "127.0.0.2";

beforeAll(async () => {
  tools = await makeTools();
  const packed = packedPackage();
  registry = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/tiny") response.end(JSON.stringify(listing(packed)));
    else if (request.url === "/tiny/-/tiny-1.0.0.tgz") response.end(packed);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => registry.listen(0, host, resolve));
  const address = registry.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => {
  registry.close();
  removeTools(tools);
});

function packedPackage(): Buffer {
  const root = mkdtempSync(join(tmpdir(), "toolwright-package-"));
  const script =
    "echo $SSH_AUTH_SOCK$NPM_TOKEN > seen; cat ~/.ssh/id >> seen; (exec 3<>/dev/tcp/1.1.1.1/80) && echo out >> seen; true";
  const manifest = { name: "tiny", version: "1.0.0", scripts: { postinstall: `bash -c '${script}'` } };
  write(root, "package/package.json", JSON.stringify(manifest));
  write(root, "package/index.js", "module.exports = 7;\n");
  execFileSync("tar", ["-czf", "tiny.tgz", "package"], { cwd: root });
  const bytes = readFileSync(join(root, "tiny.tgz"));
  rmSync(root, { recursive: true });
  return bytes;
}

function listing(packed: Buffer) {
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const dist = { tarball: `http://${host}:${port}/tiny/-/tiny-1.0.0.tgz`, integrity };
  const version = { name: "tiny", version: "1.0.0", hasInstallScript: true, dist };
  return { name: "tiny", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
}

/** Without it, npm looks for a project in the directories above. */
const project = { name: "project", private: true };

async function inPlace(person: Person, work: (place: Place) => Promise<void>): Promise<void> {
  const place = makePlace(person);
  asked = [];
  write(place.workspace, "package.json", JSON.stringify(project));
  own(place.workspace, person);
  try {
    await work(place);
  } finally {
    removePlace(place);
  }
}

test.each(people)(
  "as $name: npm installs from an allowed registry, and its scripts cannot reach anything else",
  (person) =>
    inPlace(person, async (place) => {
      write(place.home, ".ssh/id", "the key\n");
      const line = `npm install --registry http://${host}:${port} --no-audit --no-fund --no-update-notifier tiny 2>&1; node -p 'require("tiny")'`;
      const outcome = await runOne(
        tools,
        place,
        requestFor(place, "install", line, { hosts: [`${host}:${port}`] }),
      );
      expect(outcome.output).toMatch(/added 1 package[^]*\n7\n$/);
      expect(asked).toEqual(["/tiny", "/tiny/-/tiny-1.0.0.tgz"]);
      const seen = join(place.workspace, "node_modules/tiny/seen");
      expect(readFileSync(seen, "utf8")).toBe("\n");
    }),
);

test.each(people)(
  "as $name: a layered install returns its changes, and a staged one leaves the workspace untouched",
  (person) =>
    inPlace(person, async (place) => {
      const line = `npm install --registry http://${host}:${port} --no-audit --no-fund --no-update-notifier tiny >/dev/null 2>&1; node -p 'require("tiny")'`;
      const ask = async (overlay: true | "whole", after: "leave" | "make") => {
        const request = requestFor(place, "install", line, { hosts: [`${host}:${port}`], overlay });
        return runOne(tools, place, request, { after: [after] });
      };
      const before = snapshotOf(place.workspace);
      const staged = await ask("whole", "leave");
      expect(staged).toMatchObject({ output: "7\n", warnings: [], uncovered: [] });
      expect(snapshotOf(place.workspace)).toEqual(before);
      const made = await ask(true, "make");
      const paths = made.changes.map(({ path }) => path).sort();
      expect(paths).toEqual(staged.changes.map(({ path }) => path).sort());
      expect(paths).toEqual(
        expect.arrayContaining(["package.json", "node_modules", "node_modules/tiny/index.js"]),
      );
      expect(readFileSync(join(place.workspace, "node_modules/tiny/index.js"), "utf8")).toContain("7");
    }),
);

/** Prints the proxy's reply to a handwritten request. */
const say = (lines: string): string =>
  `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${lines}' >&3; timeout 5 cat <&3 | tr -d '\\r'; exec 3>&-`;

const getting = (address: string): string =>
  say(`GET ${address} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`);
const connecting = (to: string): string => say(`CONNECT ${to} HTTP/1.1\\r\\nHost: ${to}\\r\\n\\r\\n`);

test.each(people)("as $name: a host that is not an allowed registry is refused and reported", (person) =>
  inPlace(person, async (place) => {
    const lines = [
      connecting("example.com:443"),
      connecting("169.254.169.254:80"),
      connecting(`${host}:${port}`),
      connecting(`127.0.0.1:${port}`),
      connecting("registry.npmjs.org:22"),
      connecting("registry.npmjs.org.evil.example:443"),
      getting(`http://${host}:${port}/tiny`),
      getting("http://[::1]:80/"),
      getting("file:///etc/passwd"),
    ];
    const outcome = await runOne(tools, place, requestFor(place, "install", lines.join("\n")));
    expect(outcome.output.match(/^HTTP\/1\.1 \d+/gm)).toEqual([
      ...Array(8).fill("HTTP/1.1 403"),
      "HTTP/1.1 400",
    ]);
    expect(outcome.warnings).toHaveLength(7);
    expect(outcome.warnings[0]).toContain("example.com:443 is not among the hosts that installs may reach");
    expect(asked).toEqual([]);
  }),
);

test("a tunnel carries data both ways, and an explicitly named host may have a private address", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const request = `GET /tiny HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n`;
    const line = say(`CONNECT ${host}:${port} HTTP/1.1\\r\\n\\r\\n${request}`);
    const named = { hosts: [`${host}:${port}`] };
    const outcome = await runOne(tools, place, requestFor(place, "install", line, named));
    expect(outcome.output).toContain("200 Connection Established");
    expect(outcome.output).toContain('"name":"tiny"');
    const elsewhere = await runOne(
      tools,
      place,
      requestFor(place, "install", connecting(`${host}:1`), named),
    );
    expect(elsewhere.output).toContain("403");
  }));

test("the user's .npmrc can name registries, the workspace's cannot", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line = getting(`http://${host}:${port}/tiny`);
    write(place.workspace, ".npmrc", `registry=http://${host}:${port}/\n`);
    const workspace = await runOne(tools, place, requestFor(place, "install", line));
    expect(workspace.output).toContain("403");
    write(place.home, ".npmrc", `registry=http://${host}:${port}/\n//x/:_authToken=secret\n`);
    const home = await runOne(tools, place, requestFor(place, "install", line));
    expect(home.output).toContain('"name":"tiny"');
  }));

test("the build, read and git profiles cannot reach an install's proxy", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    for (const profile of ["read", "build", "git"] as const) {
      const line = `(exec 3<>/dev/tcp/127.0.0.1/3128) && echo open; ls -a /dev | grep toolwright; env | grep -i _proxy`;
      const outcome = await runOne(tools, place, requestFor(place, profile, line));
      expect(outcome.output).not.toMatch(/open|toolwright|proxy=/i);
    }
  }));
