import { expect, test } from "vitest";
import { admit, isPublicAddress, mayDial } from "./reachable.ts";
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

test("private, local and reserved addresses are not public", () => {
  const open = ["1.1.1.1", "104.16.0.1", "8.8.8.8", "2606:4700::1", "2a00:1450::1"];
  const shut = [
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "192.0.2.1",
    "203.0.113.9",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:1::1",
    "2001:db8::1",
    "localhost",
    "",
    "1.1.1",
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(shut.filter(isPublicAddress)).toEqual([]);
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
  ["own.example", "127.0.0.1", false, true],
  ["169.254.169.254", "169.254.169.254", true, true],
])(
  "%s, which leads to %s, may be dialled if a model chose the name (%s): %s",
  (host, address, isGiven, may) => {
    expect(mayDial({ host, address }, { mayBePrivate: true }, { ...rules, isGiven })).toBe(may);
  },
);
