/** Tests that each key counts for what is there when it is pressed, however fast the keys come. */

import { expect, test } from "vitest";
import { styleFor } from "../../view/style.ts";
import type { Card } from "../card.ts";
import { Completions } from "../input/completions.ts";
import { InputHistory } from "../input/history.ts";
import { keyBindings } from "../input/key-bindings.ts";
import { KeyReader } from "../input/keys.ts";
import { MessageField } from "./message-field.ts";
import { ScreenInput } from "./screen-input.ts";

const plain = styleFor({}, false);
const nothing = (): void => undefined;
const escape = "\u001B";
const up = "\u001B[A";
const down = "\u001B[B";

type Staged = {
  /** Presses these keys at once. */
  type: (bytes: string) => void;
  /** Resolves to the message that was sent. */
  sent: Promise<string | undefined>;
  draft: () => string;
  input: ScreenInput;
  /** The milliseconds that it is now. */
  passed: (ms: number) => void;
  /** Resolves when keys that had to wait have been taken. */
  taken: () => Promise<void>;
};

/** `paths`: what the workspace has, as soon as that is listed. */
function staged({
  paths = async () => [],
  said = [],
}: {
  paths?: () => Promise<string[]>;
  said?: string[];
}): Staged {
  const bindings = keyBindings();
  if (!bindings.ok) throw new Error(bindings.problem);
  let taken = Promise.withResolvers<void>();
  let now = 0;
  const message = new MessageField({
    bindings: bindings.value,
    completions: new Completions({
      workspace: "/",
      commands: async () => [
        { name: "mode", says: "" },
        { name: "model", says: "" },
      ],
      choices: async () => undefined,
      paths: async () => ({ ok: true, value: await paths() }),
      symbols: async () => [],
      touched: () => [],
    }),
    history: new InputHistory(async function* () {
      yield* said;
    }),
    changed: nothing,
    takeBack: async () => undefined,
    below: nothing,
  });
  const changed = (): void => {
    taken.resolve();
    taken = Promise.withResolvers();
  };
  const input = new ScreenInput({
    message,
    bindings: bindings.value,
    now: () => now,
    handlers: { sent: nothing, act: nothing, view: nothing, changed },
  });
  // An Enter at the end of what is read is one: time passes at once.
  const reader = new KeyReader(
    (key) => input.press(key),
    (_, then) => {
      queueMicrotask(then);
      return nothing;
    },
  );
  return {
    type: (bytes) => reader.read(bytes),
    sent: input.nextMessage(),
    draft: () => message.field.text,
    input,
    passed: (ms) => {
      now += ms;
    },
    taken: () => taken.promise,
  };
}

test("Tab and Enter take the choice of the text as it stands, not that of the text before it", async () => {
  const { type, draft, taken } = staged({ paths: async () => ["a.ts", "src/total.ts", "src/cart.ts"] });
  type("see @");
  type("cart\t");
  await taken();
  expect(draft()).toBe("see @src/cart.ts ");
  type("and @tot\r");
  await taken();
  expect(draft()).toBe("see @src/cart.ts and @src/total.ts ");
});

test("keys behind one that waits keep their order, and Esc gives them up", async () => {
  const listed = Promise.withResolvers<string[]>();
  const { type, draft, taken, sent } = staged({ paths: () => listed.promise });
  type("@tot\tlost");
  expect(draft()).toBe("@tot");
  type(`${escape}[I`); // the focus says nothing
  type(`${escape}[99;5u`); // Ctrl-C
  expect(draft()).toBe("@tot");
  type(" @car\tis it right?");
  listed.resolve(["src/cart.ts"]);
  await taken();
  expect(draft()).toBe("@tot @src/cart.ts is it right?");
  type("\r");
  expect(await sent).toBe("@tot @src/cart.ts is it right?");
});

test("Enter on a path that is written already sends the message", async () => {
  const { type, sent } = staged({ paths: async () => ["src/cart.ts", "src/cart.ts.old"] });
  type("see @src/cart.ts\r");
  expect(await sent).toBe("see @src/cart.ts");
});

test("a choice is never taken for a text that is completed no more", async () => {
  const { type, sent } = staged({ paths: async () => ["src/cart.ts"] });
  type("see @ca");
  await Promise.resolve();
  type("r and more\r");
  expect(await sent).toBe("see @car and more");
});

test("what was said before stands there before the next key is taken", async () => {
  const { type, sent } = staged({ said: ["run the tests", "fix it"] });
  type(`${up}${up}${down}${up} please\r`);
  expect(await sent).toBe("fix it please");
});

test("a search takes what was found for all that was typed", async () => {
  const { type, sent } = staged({ said: ["fix it", "run the tests", "fix the tests"] });
  type("\u0012fix the\r\r");
  expect(await sent).toBe("fix the tests");
});

const card: Card = {
  content: { type: "lines", lines: ["Edit total.ts?"] },
  offers: [
    { key: "y", words: "once", answer: "y" },
    { key: "n", words: "no, and why", answer: "n", needs: "words" },
  ],
  prompt: "",
};

test("what is typed at a card is in sight before it is sent, and the card is answered by the next key after a pause", async () => {
  const { type, draft, input, passed, sent } = staged({ paths: async () => ["src/cart.ts"] });
  const answered = input.ask(card);
  const shown = (): string => {
    const rows =
      input.asked?.type === "card" ? input.asked.card.rows({ style: plain, columns: 80 }, 16).rows : [];
    return rows.at(-1) ?? "";
  };
  passed(1_000);
  // It was queued unseen as nonsense, and `y` then made the edit that was to be refused.
  type("xnuse 111 in @car");
  await Promise.resolve();
  expect(draft()).toBe("xnuse 111 in @car");
  expect(shown()).toBe(" your message: xnuse 111 in @car   ⏎ sends it");
  passed(1_000);
  type("\r"); // no menu that nobody sees takes it
  expect(await sent).toBe("xnuse 111 in @car");
  expect(shown()).not.toContain("your message");
  passed(1_000);
  type("y");
  expect(await answered).toBe("y");
});

test("a message that is sent at a card is in sight as soon as it has been taken, without another key", async () => {
  const { type, input, passed, taken, sent } = staged({});
  type("go\r");
  await sent;
  const delivered = Promise.withResolvers<void>();
  const got = Promise.withResolvers<string>();
  input.deliverTo((text) => {
    got.resolve(text);
    return delivered.promise;
  });
  void input.ask(card);
  passed(1_000);
  type("use 111 instead\r");
  expect(await got.promise).toBe("use 111 instead");
  const painted = taken(); // nothing showed that it waits: `y` was pressed
  delivered.resolve();
  await painted;
});

test("a message on a card is corrected by the keys that cut and bring back, not by Backspace alone", async () => {
  const { type, draft, input, passed } = staged({});
  void input.ask(card);
  passed(1_000);
  type("xuse tabs here");
  passed(1_000);
  type("\u0017"); // Ctrl-W
  expect(draft()).toBe("xuse tabs ");
  passed(1_000);
  type("\u0015"); // Ctrl-U, which did nothing: the `y` after a pause then was no answer, but a part of the message
  expect(draft()).toBe("");
});

test("what is typed at a list whose keys are letters is a message, from the first letter that is none of them", async () => {
  const { type, draft, input } = staged({});
  const keys = [{ key: "d", words: "diff", answer: "diff" }];
  const menu = { title: "Changed", choices: [{ name: "a.ts", says: "" }], keys, lines: [], prompt: "" };
  const listed = input.choose(menu);
  type("1now run it"); // it was lost, key by key, until a letter on the list
  expect(await listed).toBe(undefined);
  expect(draft()).toBe("now run it");
  type("\u0015");
  const again = input.choose(menu);
  type("\u001B[200~pasted\u001B[201~");
  expect(await again).toBe(undefined);
  expect(draft()).toBe("pasted");
});

test("what cannot be taken back wants Enter after its key at a list, too, and any other key takes it back", async () => {
  const { type, input } = staged({});
  const keys = [{ key: "k", words: "keep for good", answer: "keep", needs: "enter" as const }];
  const menu = { title: "Changed", choices: [{ name: "a.ts", says: "" }], keys, lines: [], prompt: "" };
  const listed = input.choose(menu);
  const offered = (): string | undefined =>
    input.asked?.type === "menu"
      ? input.asked.menu.rows({ style: plain, columns: 80 }, 16).rows.at(-1)?.replaceAll("\u00A0", " ")
      : undefined;
  expect(offered()).toContain("k ⏎ keep for good");
  type("ke"); // the first letter of "kept?" kept the changes, and nothing could undo that
  expect(input.asked?.type).toBe("menu");
  type("k");
  expect(offered()).toBe(" ⏎ keep for good   esc back");
  type("\r");
  expect(await listed).toEqual({ type: "choice", at: 0, key: "keep" });
});
