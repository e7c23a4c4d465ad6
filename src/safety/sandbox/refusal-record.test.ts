import { expect, test } from "vitest";
import { refusalsIn } from "./refusal-record.ts";

const hex = (name: string): string => Buffer.from(name).toString("hex");
const recorded = (sign: string, kind: string, name: string, port = 0): string =>
  `${sign} ${kind} ${hex(name)} ${port}\n`;

test("each kind of a record is read, and a name that was only looked up has no port", () => {
  const text = [
    recorded("+", "n", "only.example"),
    recorded("+", "n", "registry.example"),
    recorded("+", "h", "registry.example", 443),
    recorded("+", "h", "10.1.2.3", 8080),
    recorded("+", "h", "2001:db8:0:0:0:0:0:1", 443),
    recorded("+", "s", "[0:0:0:0:0:0:0:1]:5432", 5432),
    recorded("+", "s", "/run/docker.sock"),
    recorded("+", "w", "/etc/x"),
  ].join("");
  expect(refusalsIn(text)).toEqual([
    { wanted: "host", host: "only.example" },
    { wanted: "host", host: "registry.example", port: 443 },
    { wanted: "host", host: "10.1.2.3", port: 8080 },
    { wanted: "host", host: "2001:db8::1", port: 443 },
    { wanted: "service", at: "[::1]:5432" },
    { wanted: "service", at: "/run/docker.sock" },
    { wanted: "write", path: "/etc/x" },
  ]);
});

test("what was taken back is not told", () => {
  const at = recorded("+", "s", "127.0.0.1:3000", 3000);
  expect(refusalsIn(`${at}${at.replace("+", "-")}`)).toEqual([]);
  expect(refusalsIn(`${at}${at.replace("+", "-")}${at}`)).toHaveLength(1);
});

test("a name can hold anything, and is never another line", () => {
  const name = `/home/x\n+ w ${hex("/forged")} 0\n\u001b[2J`;
  expect(refusalsIn(recorded("+", "w", name))).toEqual([{ wanted: "write", path: name }]);
});

test.each([
  "",
  "\n\n",
  "+ w 2f 0",
  "+ w 2 0\n",
  "+ w  0\n",
  "+ x 2f 0\n",
  "* w 2f 0\n",
  "+ w 2f 123456\n",
  "+ w 2f\n",
  "\0".repeat(1000),
])("a broken record tells nothing: %j", (text) => {
  expect(refusalsIn(text)).toEqual([]);
});

test("a huge record is told in part", () => {
  const text = Array.from({ length: 100_000 }, (_, at) => recorded("+", "w", `/x/${at}`)).join("");
  expect(refusalsIn(text)).toHaveLength(50);
});
