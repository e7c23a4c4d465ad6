import { expect, test } from "vitest";
import { admit, mayDial } from "./reachable.ts";
import { redactSettings } from "./redact-settings.ts";
import { upstreamFor } from "./upstream.ts";

const rules = {
  public: ["registry.npmjs.org", "pypi.org"],
  named: ["own.example", "own.example:8443", "*.corp.example", "[::1]:4873", "10.0.0.7:80"],
};

test.each([
  ["registry.npmjs.org", 443, { mayBePrivate: false }],
  ["Registry.NPMjs.org.", 443, { mayBePrivate: false }],
  ["registry.npmjs.org", 80, { mayBePrivate: false }],
  ["registry.npmjs.org", 22, undefined],
  ["registry.npmjs.org.evil.example", 443, undefined],
  ["evil-registry.npmjs.org", 443, undefined],
  ["npmjs.org", 443, undefined],
  ["own.example", 443, { mayBePrivate: true }],
  ["own.example", 8443, { mayBePrivate: true }],
  ["own.example", 8444, undefined],
  ["x.own.example", 443, undefined],
  ["a.b.corp.example", 443, { mayBePrivate: false }],
  ["corp.example", 443, undefined],
  ["evilcorp.example", 443, undefined],
  ["::1", 4873, { mayBePrivate: true }],
  ["[::1]", 4873, { mayBePrivate: true }],
  ["[::1]", 443, undefined],
  ["10.0.0.7", 80, { mayBePrivate: true }],
  ["10.0.0.7", 443, undefined],
  ["", 443, undefined],
] as const)("%s:%i", (host, port, admission) => {
  expect(admit(host, port, rules)).toEqual(admission);
});

test("settings are shown without secret lines and logins", () => {
  const text = [
    "registry=https://someone:pass@registry.corp.example/npm/",
    "//registry.corp.example/:_authToken=npm_123",
    "_auth = abc",
    "//x/:_password=abc",
    "strict-ssl=true",
    "<password>abc</password>",
    '<add key="ClearTextPassword" value="abc" />',
    "api_key: abc",
    "[credential]",
    "\thelper = store",
    "\tname = A Person",
  ].join("\n");
  expect(redactSettings(text)).toBe(
    [
      "registry=https://registry.corp.example/npm/",
      "strict-ssl=true",
      "[credential]",
      "\thelper = store",
      "\tname = A Person",
    ].join("\n"),
  );
});

test("the configured proxy is used, except for hosts in no_proxy", () => {
  const env = { HTTPS_PROXY: "http://me:p%40ss@proxy.corp:3128", no_proxy: "localhost,.corp.example" };
  expect(upstreamFor("pypi.org", "https", env)).toEqual({
    host: "proxy.corp",
    port: 3128,
    headers: { "proxy-authorization": `Basic ${Buffer.from("me:p@ss").toString("base64")}` },
  });
  expect(upstreamFor("a.corp.example", "https", env)).toBe(undefined);
  expect(upstreamFor("pypi.org", "http", env)).toBe(undefined);
  expect(upstreamFor("pypi.org", "https", { https_proxy: "socks5://x" })).toBe(undefined);
  expect(upstreamFor("pypi.org", "https", {})).toBe(undefined);
});

test.each([
  ["own.example", "93.184.216.34", true, true],
  ["own.example", "10.0.0.7", true, true],
  ["own.example", "127.0.0.1", true, false],
  ["own.example", "::1", true, false],
  ["own.example", "::ffff:127.0.0.1", true, false],
  ["own.example", "::ffff:169.254.169.254", true, false],
  ["own.example", "169.254.169.254", true, false],
  ["own.example", "fd00:ec2::254", true, false],
  ["own.example", "168.63.129.16", true, false],
  ["own.example", "127.0.0.1", false, true],
  ["169.254.169.254", "169.254.169.254", true, true],
])(
  "%s, which leads to %s, may be dialled if a model chose the name (%s): %s",
  (host, address, isGiven, may) => {
    expect(mayDial({ host, address }, { mayBePrivate: true }, { ...rules, isGiven })).toBe(may);
  },
);

test("a name that leads to what is not public is not dialled where only public places are", () => {
  for (const address of ["168.63.129.16", "192.175.48.1", "3fff::1", "10.0.0.7", "::ffff:8.8.8.8", ""])
    expect(mayDial({ host: "pypi.org", address }, { mayBePrivate: false }, rules)).toBe(false);
  expect(mayDial({ host: "pypi.org", address: "151.101.0.223" }, { mayBePrivate: false }, rules)).toBe(true);
});
