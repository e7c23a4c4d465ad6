import { expect, test } from "vitest";
import { wordsToMount } from "./launcher-mounts.ts";
import type { SandboxMount } from "./mounts.ts";

test("each mount is three words for the launcher, and texts are read from the descriptors behind the other feeds", () => {
  const mounts: SandboxMount[] = [
    { kind: "readable", path: "/" },
    { kind: "writable", path: "/w", from: "/elsewhere" },
    { kind: "temporary", path: "/tmp", bytes: 9, mode: "1777" },
    { kind: "text", path: "/a", text: "one" },
    { kind: "hidden-directory", path: "/s", passable: false },
    { kind: "hidden-directory", path: "/p", passable: true },
    { kind: "hidden-file", path: "/b" },
    { kind: "text", path: "/c", text: "two" },
  ];
  const { words, feeds } = wordsToMount(mounts, 4);
  expect(words.join(" ")).toBe(
    "readable / / writable /elsewhere /w temporary mode=1777,size=9 /tmp text 4 /a temporary mode=0000,size=65536 /s temporary mode=0711,size=65536 /p readable /dev/null /b text 5 /c",
  );
  expect(feeds.map((bytes) => Buffer.from(bytes).toString())).toEqual(["one", "two"]);
});
