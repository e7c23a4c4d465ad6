/** Help on one command: both ways to request it, showing only what concerns that command. */

import { expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";
import { commandHelp, isOwn } from "./command-help.ts";
import { commands } from "./commands.ts";
import { usualWidth } from "./help-words.ts";
import { options } from "./options.ts";

const help = (argv: string[]) => {
  const parsed = parseArguments(argv, {});
  return parsed.ok ? parsed.value.help : parsed.problem;
};
const flagsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gmu)].map(([, flag = ""]) => flag);

test.each(commands)("help about $name says what it does, what it takes and its options", (command) => {
  const text = commandHelp(command.name, usualWidth);
  expect(text.split("\n")[0]).toMatch(new RegExp(`^toolwright ${command.name}: \\w`, "u"));
  const own = options.filter((option) => isOwn(option, command.name));
  for (const { flag } of own) expect(flagsIn(text)).toContain(flag);
  const foreign = options.filter(
    (option) =>
      (option.only !== undefined && !isOwn(option, command.name)) ||
      option.concerns?.includes(command.name) === false,
  );
  for (const { flag } of foreign) expect(flagsIn(text)).not.toContain(flag);
  expect(flagsIn(text).includes("output")).toBe(command.json);
  if ("words" in command) expect(text).toContain("\nArguments:\n");
  expect(text).toMatch(/\n\ntoolwright --help lists all commands\.\n$/u);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("the help of a server command lists its listening options, not those of a conversation", () => {
  expect(flagsIn(commandHelp("serve", usualWidth))).toEqual(
    expect.arrayContaining(["port", "host", "drain", "mode", "max-cost", "state-dir"]),
  );
  expect(flagsIn(commandHelp("lm-server", usualWidth))).toEqual(
    expect.arrayContaining(["port", "log", "model"]),
  );
  for (const { name } of commands) expect(flagsIn(commandHelp(name, usualWidth))).not.toContain("prompt");
  expect(flagsIn(commandHelp("demo", usualWidth))).toEqual(["plain", "verbose", "help"]);
  expect(commandHelp("undo", usualWidth)).toContain("[TURN] [PATH…]");
});

test("--help anywhere, or help before a command's name, shows that command's help", () => {
  for (const argv of [
    ["serve", "--help"],
    ["--help", "serve"],
    ["-h", "serve", "link"],
    ["help", "serve"],
    ["help", "serve", "--help"],
  ])
    expect([argv, help(argv)]).toEqual([argv, "serve"]);
  for (const argv of [["--help"], ["help"], ["-h", "help"], ["fix it", "--help"], ["fix", "it", "--help"]])
    expect([argv, help(argv)]).toEqual([argv, "overview"]);
  expect(help(["--help", "--", "serve"])).toBe("overview");
  for (const argv of [
    ["help", "all"],
    ["--help", "all"],
    ["help", "options"],
    ["options", "--help"],
  ])
    expect([argv, help(argv)]).toEqual([argv, "everything"]);
});

test("help within a message to the model is not a request for help", () => {
  for (const argv of [
    ["--", "help"],
    ["--", "help", "serve"],
    ["help", "me", "with this"],
    ["hello you"],
    [],
  ])
    expect([argv, help(argv)]).toEqual([argv, undefined]);
});

test("help on an unknown command suggests the closest one", () => {
  const serve = 'There is no command "serv" (did you mean "serve"?): toolwright --help lists them';
  expect(help(["serv", "--help"])).toBe(serve);
  expect(help(["serv", "link", "--help"])).toBe(serve);
  expect(help(["help", "serv"])).toBe(`${serve}; to say it to the model: toolwright -- help serv`);
  expect(help(["--help", "fly"])).toBe('There is no command "fly": toolwright --help lists them');
  expect(help(["help", "fly", "--help"])).toBe('There is no command "fly": toolwright --help lists them');
});
