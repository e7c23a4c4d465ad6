/** The page's files: exactly those in the build's table are served, whatever a request names. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, testToken } from "../testing/gateway.ts";
import { readPageAssets } from "./page-assets.ts";
import { rawExchange, requestText, statusOf } from "./testing/raw.ts";

const html = "text/html; charset=utf-8";

async function built(manifest: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-page-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>page");
  await writeFile(join(folder, "assets", "a-1.js"), "1;");
  await writeFile(join(folder, "assets", "a-1.js.br"), brotliCompressSync("1;"));
  await writeFile(join(folder, "assets", "a-1.js.gz"), gzipSync("1;"));
  await writeFile(join(folder, "secret.txt"), "not in the table");
  await writeFile(
    join(folder, "assets.json"),
    typeof manifest === "string" ? manifest : JSON.stringify(manifest),
  );
  return folder;
}

const table = [
  { path: "/", file: "index.html", type: html },
  {
    path: "/assets/a-1.js",
    file: "assets/a-1.js",
    type: "text/javascript; charset=utf-8",
    encoded: { br: "assets/a-1.js.br", gzip: "assets/a-1.js.gz" },
  },
];

async function stage(manifest: unknown = table) {
  const gateway = await testGateway(scriptedModel([]), { setup: { pageFolder: await built(manifest) } });
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const get = async (target: string, ...headers: string[]) =>
    rawExchange(
      gateway.port,
      requestText(`GET ${target} HTTP/1.1`, `host: 127.0.0.1:${gateway.port}`, ...headers),
    );
  return { gateway, get };
}

test("the page is served without a token, as built, and with a content security policy", async () => {
  const { gateway } = await stage();
  const page = await gateway.raw("/");
  expect(page.status).toBe(200);
  expect(await page.text()).toBe("<!doctype html>page");
  expect(page.headers.get("content-type")).toBe(html);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(await (await gateway.raw("/assets/a-1.js")).text()).toBe("1;");
  const head = await gateway.raw("/", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("assets are sent compressed as the client takes them, and kept for good; the page itself is not kept", async () => {
  const { gateway } = await stage();
  const asked = async (path: string, accepted: string) => {
    const { headers } = await gateway.raw(path, { method: "HEAD", headers: { "accept-encoding": accepted } });
    return [headers.get("content-encoding"), headers.get("vary"), headers.get("cache-control")];
  };
  const forGood = "public, max-age=31536000, immutable";
  for (const [accepted, coding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, BR;q=0.5", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000,gzip;q=0", null],
    ["deflate", null],
    ["identity", null],
  ] as const)
    expect(await asked("/assets/a-1.js", accepted), accepted).toEqual([coding, "accept-encoding", forGood]);
  expect(await asked("/", "br")).toEqual([null, null, "no-store"]);
  for (const accepted of ["br", "gzip", "identity"]) {
    const reply = await gateway.raw("/assets/a-1.js", { headers: { "accept-encoding": accepted } });
    expect(await reply.text()).toBe("1;");
    const request = new Request(`${gateway.url}/assets/a-1.js`, { headers: { "accept-encoding": accepted } });
    expect((await gateway.fetch(request)).headers.get("cache-control")).toBe(forGood);
  }
});

test("more than forty traversal paths out of the page's folder are 404, or 401 without the token", async () => {
  const { get } = await stage();
  const names = ["etc/passwd", "secret.txt", "assets.json", "index.html"];
  const ways = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..\\",
    "..%5c",
    "....//",
    "./",
    "..;/",
    "%252e%252e%252f",
    "..%00/",
  ];
  const paths = names.flatMap((name) => [
    `/${name}`,
    ...ways.flatMap((way) => [`/${way}${name}`, `/assets/${way}${way}${name}`]),
  ]);
  paths.push(
    "//etc/passwd",
    "/assets//a-1.js",
    "/assets/a-1.js/",
    "/assets/A-1.js",
    "/assets/a-1.js%00",
    "/%61ssets/a-1.js",
    "/assets",
    "/assets/",
    "/.",
    "/..",
    "/a/../",
    "/./",
  );
  expect(paths.length).toBeGreaterThan(40);
  for (const path of paths) {
    const reply = await get(path, `authorization: Bearer ${testToken}`);
    expect(statusOf(reply), path).toBe(404);
    expect(reply).not.toMatch(/root:|not in the table|doctype/u);
    expect(statusOf(await get(path)), path).toBe(401);
  }
});

test("a path that matches a route only after normalization does not reach it", async () => {
  const { get } = await stage();
  for (const path of [
    "/x/../health",
    "/./health",
    "//health",
    "/health/",
    "/%68ealth",
    "/health%2f",
    "/health;x",
    "/HEALTH",
  ]) {
    const status = statusOf(await get(path, `authorization: Bearer ${testToken}`));
    expect([404, path === "/%68ealth" ? 200 : 404], path).toContain(status);
  }
});

test("without a page, or with an unreadable table, a text says that the page was not built", async () => {
  for (const broken of ["", "{", "{}", [{ path: "/" }], "null"]) {
    const { gateway } = await stage(broken);
    const page = await gateway.raw("/");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Its page was not built");
  }
  expect([...(await readPageAssets(undefined)).keys()]).toEqual(["/"]);
  expect([...(await readPageAssets("/nowhere/at/all")).keys()]).toEqual(["/"]);
});
