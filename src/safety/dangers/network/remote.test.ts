import { expect, test } from "vitest";
import { noFlows } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";

const tells = (line: string): string[] => told(effectsOf([], line));

test.each([
  ["ssh h", ["fetches h", "danger medium it logs in to another machine", "prints network"]],
  [
    "ssh -p 22 me@h -v ls -la",
    [
      "fetches me@h",
      "danger medium it logs in to another machine",
      "interprets shell ls -la deep",
      "prints network",
    ],
  ],
  ["ssh -V", []],
])("a login reports the command that runs remotely: %s", (line, effects) => {
  expect(tells(line).toSorted()).toEqual(effects.toSorted());
});

test.each([
  "ssh -o ProxyCommand=id h",
  "ssh -oproxycommand=id h",
  "ssh -o ProxyCommand_id h",
  "ssh h -o LocalCommand=id",
  "ssh -o KnownHostsCommand=id h ls",
  "scp -o ProxyCommand=id a h:",
  "scp -S id a h:",
  "sftp -D id h",
  "mosh --ssh=id h",
  "rclone --password-command id ls r:",
  "borg list --rsh id",
])("code in options is reported: %s", (line) => {
  expect(tells(line)).toContain("interprets shell id");
});

test.each([
  "ssh -L 1:h:2 h",
  "ssh -R1:h:2 h",
  "ssh -ND 1080 h",
  "ssh h -w 0:0",
  "ssh -o RemoteForward=1:h:2 h",
])("tunnels are high: %s", (line) => {
  expect(tells(line)).toContain("danger high it opens a tunnel between this machine and another");
});

test.each([
  "ssh -o ProxyCommand=none h",
  "ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null h",
  "ssh -F none h",
])("settings that run nothing are not high: %s", (line) => {
  expect(tells(line).filter((effect) => effect.includes("high"))).toEqual([]);
});

test.each([
  ["scp a h:b", ["reads a", "sends h:b a"]],
  ["scp -r h:a b", ["fetches h:a", "writes b replaces …"]],
  ["scp ./x:y z", ["reads ./x:y", "writes z replaces"]],
])("copies are reported as uploads or downloads: %s", (line, effects) => {
  expect(tells(line).toSorted()).toEqual(effects.toSorted());
});

test("without a command, standard input is code for the remote shell", () => {
  const input = { text: undefined, flows: noFlows, isGiven: true };
  expect(told(effectsOf([], "ssh h", input))).toContain("interprets-input shell deep");
  expect(told(effectsOf([], "ssh h cat", input))).toContain("sends h deep");
});

test("ssh-keygen reports the private and the public key file", () => {
  expect(tells("ssh-keygen -t ed25519 -f k")).toEqual(["writes k replaces", "writes k.pub replaces"]);
  expect(tells("ssh-keygen -lf k.pub")).toEqual(["reads k.pub"]);
});
