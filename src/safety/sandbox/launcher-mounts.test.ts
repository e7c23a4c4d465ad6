import { expect, test } from "vitest";
import { wordsToMount } from "./launcher-mounts.ts";
import type { SandboxMount } from "./mounts.ts";

test("each mount is three words for the launcher, and a text is one of them", () => {
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
  expect(wordsToMount(mounts).join(" ")).toBe(
    "readable / / writable /elsewhere /w temporary mode=1777,size=9 /tmp text one /a hidden-directory mode=0000,size=65536 /s hidden-directory mode=0711,size=65536 /p hidden-file /dev/null /b text two /c",
  );
});
