import { expect, test } from "vitest";
import { literal, noFlows } from "../../command-line/word.ts";
import { effectsOf, effectLines } from "../testing-effects.ts";
import { editors } from "./editors.ts";

test.each<[string, string[]]>([
  ["vim a", ["writes a edits"]],
  ["vim -R a", ["reads a"]],
  ["vim +12 a", ["writes a edits"]],
  ["vim +/x a", ["writes a edits"]],
  ["vim -c !id a", ["danger high its option -c runs a command", "interprets shell id", "writes a edits"]],
  ["vim -c :%s/a/b/g -c wq a", ["writes a edits"]],
  ["vim --cmd so_evil.vim a", ["loads evil.vim other", "writes a edits"]],
  ["vim -c w!_/tmp/x a", ["writes /tmp/x replaces", "writes a edits"]],
  ["vim -c r_secret a", ["reads secret", "writes a edits"]],
  [
    "vim -c %!sort a",
    ["danger high its option -c runs a command", "interprets shell sort", "writes a edits"],
  ],
  ["vim -c g/a/!id a", ["danger high its option -c runs a command", "interprets shell id", "writes a edits"]],
  ["vim -c normal_:!id a", ["danger high its option -c runs code of the editor", "writes a edits"]],
  ["vim -c call_system('id') a", ["danger high its option -c runs code of the editor", "writes a edits"]],
  [
    "vim -c py3_print(1) a",
    ["danger high its option -c runs code of the editor", "interprets python print(1)", "writes a edits"],
  ],
  [
    "vim -c silent!_!id a",
    ["danger high its option -c runs a command", "interprets shell id", "writes a edits"],
  ],
  ["vim -c ?code a", ["danger high the editor's commands are only known when they run", "writes a edits"]],
  ["vim +PlugInstall +qall", ["danger medium it installs plugins of the editor"]],
  ["vim -S session a", ["loads session other", "writes a edits"]],
  ["vim -s keys a", ["danger high it types the keys of a file into the editor", "writes a edits"]],
  ["vim -u NONE a", ["writes a edits"]],
  ["vim -w log a", ["writes log creates", "writes a edits"]],
  ["nvim -l script.lua", ["loads script.lua other"]],
  ["ex -s a", ["writes a edits"]],
  ["ed a", ["writes a edits"]],
  [
    "nano -s ./evil a",
    ["writes a edits", "danger high its option -s runs a command", "interprets shell ./evil"],
  ],
  ["nano a", ["writes a edits"]],
  [
    "emacs --batch --eval (print_1)",
    ["interprets other (print 1)", "danger high its option --eval runs code"],
  ],
  ["emacs -l init.el a", ["loads init.el other", "writes a edits"]],
  ["emacs --script run.el", ["loads run.el other"]],
  [
    "code --install-extension x",
    ["danger medium it installs extensions of the editor, which run code of their own"],
  ],
  ["code --add-mcp {}", ["danger critical it adds a server that the editor runs"]],
  ["code -g a:10 b", ["reads b", "reads a"]],
  ["code tunnel", ["danger high it opens this machine to others"]],
  ["subl --command run a", ["writes a edits", "danger high its options run commands of the editor"]],
  ["kak -e x a", ["writes a edits", "danger high its options run commands of the editor"]],
])("editors report what they change and run: %s", (line, effects) => {
  expect(effectLines(effectsOf(editors, line))).toEqual(effects);
});

test.each<[string, string, string[]]>([
  ["ed a", "!id\nq\n", ["writes a edits", "danger high its option -s runs a command", "interprets shell id"]],
  ["ed a", "a\n!id\n.\nw\n", ["writes a edits"]],
  ["ex -s a", "w /etc/passwd\n", ["writes a edits", "writes /etc/passwd replaces"]],
  [
    "vim -es a",
    "r !id",
    ["writes a edits", "danger high its option -s runs a command", "interprets shell id"],
  ],
])("editor commands on standard input are analysed: %s with %j", (line, code, effects) => {
  const input = { text: literal(code), flows: noFlows, isGiven: true };
  expect(effectLines(effectsOf(editors, line, input))).toEqual(effects);
});

test("unknown editor commands on standard input count as code", () => {
  const input = { text: undefined, flows: noFlows, isGiven: true };
  expect(effectLines(effectsOf(editors, "ex -s a", input))).toEqual([
    "writes a edits",
    "interprets-input other",
  ]);
});
