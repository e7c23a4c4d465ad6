import { expect, test } from "vitest";
import { type Outcome, outcomeOf } from "../../testing/outcomes.ts";

const outcomes: Readonly<Record<Outcome, readonly string[]>> = {
  critical: [
    "vim -c 'w! /etc/passwd' a",
    "nano ~/.bashrc",
    "vim -c '!rm -rf ~' a",
    "printf '!rm -rf ~\\n' | ed a",
    "code --add-mcp '{}'",
    "emacs --batch --eval '(shell-command \"rm -rf ~\")'",
  ],
  asks: ["vim -c 'w! ../notes' a", "printf 'w ../notes\\n' | ex -s a", "nano ../notes"],
  contained: [
    "vim -c '!id' a",
    "vim -c 'g/a/!id' a",
    "vim -c '%!sort' a",
    "vim -c 'silent! !id' a",
    "vim -c 'normal :!id' a",
    "vim -c \"call system('id')\" a",
    "vim -c 'py3 print(1)' a",
    "vim --cmd 'so evil.vim' a",
    'vim -c "$code" a',
    "printf 'r !id' | vim -es a",
    "cat x | ex -s a",
    "nano -s ./evil a",
    "subl --command run a",
    "kak -e x a",
    "code --install-extension x",
    "code tunnel",
  ],
  free: [
    "vim a",
    "vim +12 a",
    "vim +/x a",
    "vim -c ':%s/a/b/g' -c wq a",
    "vim -S session a",
    "vim -u NONE a",
    "vim -w log a",
    "nvim -l script.lua",
    "ex -s a",
    "ed a",
    "printf 'a\\n!id\\n.\\nw\\n' | ed a",
    "nano a",
    "emacs -l init.el a",
    "emacs --script run.el",
  ],
  harmless: ["vim -R a", "view a", "nvim --headless -c 'echo 1' -c q", "code -g a:10 b"],
};

test.each(Object.entries(outcomes).flatMap(([outcome, lines]) => lines.map((line) => [line, outcome])))(
  "what becomes of an editor: %s is %s",
  (line, outcome) => {
    expect(outcomeOf(line)).toBe(outcome);
  },
);
