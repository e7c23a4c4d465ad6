import fc from "fast-check";
import { expect, test } from "vitest";
import { whyNotPublic, whyNotPublicName } from "./public-address.ts";

test.each([
  ["0.0.0.0", "this machine"],
  ["0.255.255.255", "this machine"],
  ["10.0.0.1", "a private network"],
  ["100.64.0.1", "a provider's own network"],
  ["100.100.100.200", "a provider's own network"],
  ["100.127.255.255", "a provider's own network"],
  ["127.0.0.1", "this machine"],
  ["127.255.255.254", "this machine"],
  ["168.63.129.16", "the metadata service of a cloud"],
  ["169.254.169.254", "the metadata service of a cloud"],
  ["169.254.170.2", "the local link"],
  ["172.16.0.1", "a private network"],
  ["172.31.255.255", "a private network"],
  ["192.0.0.192", "a special purpose"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "a tunnel"],
  ["192.168.255.255", "a private network"],
  ["198.18.0.1", "benchmarks"],
  ["198.19.255.255", "benchmarks"],
  ["198.51.100.7", "documentation"],
  ["203.0.113.9", "documentation"],
  ["224.0.0.1", "many machines at once"],
  ["240.0.0.1", "a special purpose"],
  ["255.255.255.255", "a special purpose"],
  ["::", "this machine"],
  ["::1", "this machine"],
  ["::127.0.0.1", "an IPv4 address in disguise"],
  ["::192.168.0.1", "an IPv4 address in disguise"],
  ["::ffff:8.8.8.8", "an IPv4 address in disguise"],
  ["::ffff:7f00:1", "an IPv4 address in disguise"],
  ["::ffff:0:7f00:1", "no address of the internet"],
  ["64:ff9b::7f00:1", "an IPv4 address in disguise"],
  ["64:ff9b:1::a00:1", "an IPv4 address in disguise"],
  ["100::1", "no address of the internet"],
  ["2001::1", "a special purpose"],
  ["2001:0:7f00:1::", "a special purpose"],
  ["2001:2::1", "a special purpose"],
  ["2001:10::1", "a special purpose"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "a tunnel"],
  ["2002:a9fe:a9fe::1", "a tunnel"],
  ["3fff::1", "documentation"],
  ["5f00::1", "no address of the internet"],
  ["fc00::1", "a private network"],
  ["fd00:ec2::254", "the metadata service of a cloud"],
  ["fe80::1", "the local link"],
  ["fe80::1%eth0", "no address of the internet"],
  ["fec0::1", "a private network"],
  ["ff02::1", "many machines at once"],
  ["localhost", "no address of the internet"],
  ["", "no address of the internet"],
])("SAFETY 5, SSRF: %s is %s", (address, is) => {
  expect(whyNotPublic(address)).toBe(is);
});

test.each([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "2003::1",
])("%s is public, although it lies next to a range that is not", (address) => {
  expect(whyNotPublic(address)).toBeUndefined();
});

test("no IPv4 address passes as an IPv6 one", () => {
  const word = fc.integer({ min: 0, max: 0xffff });
  const wraps = ["::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "2002:", "2001:0:", "::ffff:0:"];
  fc.assert(
    fc.property(fc.constantFrom(...wraps), word, word, (start, high, low) => {
      const digits = `${high.toString(16)}:${low.toString(16)}`;
      const address = start.startsWith("200") ? `${start}${digits}::` : `${start}${digits}`;
      expect(whyNotPublic(address)).toBeDefined();
    }),
  );
});

test.each([
  "localhost",
  "a.localhost",
  "printer.local",
  "metadata.google.internal",
  "router",
  "nas.lan",
  "x.home.arpa",
  "a.test",
  "b.onion",
])("the name %s alone shows that it is not on the public web", (name) => {
  expect(whyNotPublicName(name)).toBeDefined();
});

test.each([
  "example.org",
  "localhost.example.org",
  "local.dev",
  "internal.example.com",
  "xn--bcher-kva.example",
])("the name %s alone is no reason to refuse it", (name) => {
  expect(whyNotPublicName(name)).toBeUndefined();
});
