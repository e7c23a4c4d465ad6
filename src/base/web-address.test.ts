import { expect, test } from "vitest";
import { readWebAddress } from "./web-address.ts";

const read = (text: string, named?: readonly string[]): string => {
  const address = readWebAddress(text, named);
  return address.ok ? `${address.value.url.href} at ${address.value.host}` : address.problem;
};

/** SAFETY 7: none of 60 forms is accepted. */
const forms = [
  "http://127.0.0.1/",
  "http://127.0.0.1:80/",
  "http://127.1/",
  "http://127.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0x7F.0x0.0x0.0x1/",
  "http://017700000001/",
  "http://0177.0.0.1/",
  "http://127.000.000.001/",
  "http://127.0.0.1./",
  "http://①②⑦.⓪.⓪.①/",
  "http://１２７.０.０.１/",
  "http://127。0。0。1/",
  "http://127%2e0%2e0%2e1/",
  "http://%31%32%37.0.0.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://00000000000/",
  "http://localhost/",
  "http://LOCALHOST/",
  "http://LocalHost./",
  "http://ｌocalhost/",
  "http://foo.localhost/",
  "http://localhost.localdomain/",
  "http:localhost/",
  "http:/\\localhost/",
  "http:\\\\localhost\\x",
  "http://\tlocal\nhost/",
  "  http://localhost/  ",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[0:0:0:0:0:ffff:7f00:0001]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:a9fe:a9fe::]/",
  "http://[2001::7f00:1]/",
  "http://[fe80::1]/",
  "http://[fe80::1%25lo]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://169.254.43518/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://metadata/",
  "http://kubernetes.default.svc.cluster.local/",
  "http://10.0.0.1/",
  "http://012.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://192.168.257/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://router/",
  "http://printer.local./",
  "https://127.0.0.1/",
  "http://user:password@example.org/",
  "http://example.org@127.0.0.1/",
  "http://127.0.0.1#@example.org/",
  "http://example.org:22/",
  "http://example.org:6379/",
  "https://example.org:8443/",
  "ftp://example.org/",
  "file:///etc/passwd",
  "gopher://example.org/_x",
  "data:text/html,x",
  "javascript:alert(1)",
  "blob:https://example.org/x",
  "ws://example.org/",
  "//example.org/",
  "example.org",
  "",
  "http://",
  "http:///",
  "http://.",
  "http://example.org../",
  "http://exa mple.org/",
  "http://1.2.3.4.5/",
  "http://256.256.256.256/",
  `https://example.org/${"x".repeat(5000)}`,
];

test("SAFETY 5, SSRF: none of the forms is accepted, and each is refused in a sentence", () => {
  expect(forms.length).toBeGreaterThanOrEqual(60);
  for (const form of forms) {
    const address = readWebAddress(form);
    expect(address.ok, form).toBe(false);
    if (!address.ok) expect(address.problem, form).toMatch(/\.$/u);
  }
});

test.each([
  ["https://example.org", "https://example.org/ at example.org"],
  ["HTTP://Example.ORG/A?b=c#d", "http://example.org/A?b=c at example.org"],
  ["https://example.org./x", "https://example.org/x at example.org"],
  ["https://example.org:443/", "https://example.org/ at example.org"],
  ["http://example.org:443/", "http://example.org:443/ at example.org"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/ at xn--bcher-kva.example"],
  ["http://1.1.1.1/", "http://1.1.1.1/ at 1.1.1.1"],
  ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/ at [2606:4700:4700::1111]"],
  ["https://127.0.0.1.nip.io/", "https://127.0.0.1.nip.io/ at 127.0.0.1.nip.io"],
])("%s is read as %s", (text, as) => {
  expect(read(text)).toBe(as);
});

test("a host that the user has named is accepted wherever it is, but only on its own port", () => {
  const named = ["localhost:3000", "10.0.0.5", "[::1]:8080", "Wiki.Corp"];
  expect(read("http://localhost:3000/a", named)).toBe("http://localhost:3000/a at localhost:3000");
  expect(read("http://localhost.:3000/a", named)).toBe("http://localhost:3000/a at localhost:3000");
  expect(read("https://10.0.0.5/", named)).toBe("https://10.0.0.5/ at 10.0.0.5");
  expect(read("http://[::1]:8080/", named)).toBe("http://[::1]:8080/ at [::1]:8080");
  expect(read("https://wiki.corp/", named)).toBe("https://wiki.corp/ at wiki.corp");
  for (const other of [
    "http://localhost/",
    "http://localhost:3001/",
    "http://127.0.0.1:3000/",
    "http://10.0.0.5:81/",
    "http://a.wiki.corp/",
  ])
    expect(readWebAddress(other, named).ok, other).toBe(false);
});

test("a refusal says what a person could do about it", () => {
  expect(read("http://localhost:3000/")).toBe(
    'http://localhost:3000/ is not on the public web (this machine), and is not fetched. If that is wanted, the user can add "localhost:3000" to `hosts` under `fetch` in their configuration.',
  );
  expect(read("https://me:secret@example.org/x")).toBe(
    "https://example.org/x has a user name or password in it: only what everybody may read is fetched.",
  );
  expect(read("https://a\u202eb\u001b[31m")).toMatch(/^[ -~]+$/u);
});
