/** What a person types into a screen: messages, answers to what is asked, and keys that do something else. */

import type { Card } from "../card.ts";
import type { ChoiceAnswer, ChoiceMenu } from "../choice.ts";
import { isFieldAction, type KeyBindings, type ScreenAction } from "../input/key-bindings.ts";
import type { TerminalKey, PressedKey } from "../input/key.ts";
import { TextField } from "../input/text-field.ts";
import type { MessageReceiver } from "../terminal.ts";
import { CardField } from "./card-field.ts";
import { ChoiceField } from "./choice-field.ts";
import type { MessageField } from "./message-field.ts";

type ScreenInputHandlers = {
  /** A message was sent, as it stood in the input. */
  sent(shown: string): void;
  /** Keys that the input does not use itself. */
  act(action: ScreenAction): void;
  /** The person wants to see the whole card. */
  view(card: CardField): void;
  /** Keys that had to wait have been taken, or a message has been delivered. */
  changed(): void;
};

/** `line`: a question that is answered in words. `menu`: of which one is chosen, or none. */
type OpenPrompt =
  | { type: "menu"; menu: ChoiceField; answer: (chosen: ChoiceAnswer | undefined) => void }
  | { type: "card"; card: CardField; answer: (line: string | undefined) => void }
  | { type: "line"; prompt: string; field: TextField; answer: (line: string | undefined) => void };

type ScreenInputSetup = {
  message: MessageField;
  bindings: KeyBindings;
  /** Milliseconds. */
  now: () => number;
  handlers: ScreenInputHandlers;
};

/** Messages typed while nobody takes them, in characters. */
const mostAhead = 1_000_000;

export class ScreenInput {
  readonly message: MessageField;
  readonly #setup: ScreenInputSetup;
  #asked: OpenPrompt | undefined;
  #lastCard: CardField | undefined;
  #awaited: ((text: string | undefined) => void) | undefined;
  #deliver: MessageReceiver | undefined;
  #ahead: string[] = [];
  #last: { text: string; shown: string } | undefined;
  /** Keys that wait for what those before them lead to. */
  #held: TerminalKey[] = [];
  #isClosed = false;

  constructor(setup: ScreenInputSetup) {
    this.#setup = setup;
    this.message = setup.message;
  }

  get asked(): OpenPrompt | undefined {
    return this.#asked;
  }

  get isAsking(): boolean {
    return this.#asked !== undefined || this.#awaited !== undefined;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a message opens the next request, and is not for the one that runs. */
  get awaitsMessage(): boolean {
    return this.#awaited !== undefined;
  }

  /** Messages that were sent while nobody takes them. */
  get ahead(): readonly string[] {
    return this.#ahead;
  }

  nextMessage(): Promise<string | undefined> {
    const ahead = this.#ahead.shift();
    if (ahead !== undefined) {
      this.#setup.handlers.sent(ahead);
      return Promise.resolve(ahead);
    }
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => (this.#awaited = resolve));
  }

  ask(card: Card): Promise<string | undefined> {
    const { bindings, now } = this.#setup;
    const last = this.#lastCard;
    // The same plan with other steps: the person stays where they are, and has seen it.
    const isChanged = last?.card.content.type === "plan" && card.content.type === "plan";
    const isSame = last?.card.content === card.content;
    const appeared = isChanged || isSame ? -Infinity : now();
    const field = new CardField(card, {
      bindings,
      now: appeared,
      draft: this.message.field,
      ...(isChanged ? { place: last.place } : {}),
    });
    this.#lastCard = field;
    return this.#wait((answer) => ({ type: "card", card: field, answer }));
  }

  /** Gives way to a question. */
  choose(menu: ChoiceMenu): Promise<ChoiceAnswer | undefined> {
    if (this.#isClosed || this.#asked) return Promise.resolve(undefined);
    const field = new ChoiceField(menu, this.#setup.bindings);
    return new Promise((answer) => (this.#asked = { type: "menu", menu: field, answer }));
  }

  answer(prompt: string): Promise<string | undefined> {
    return this.#wait((answer) => ({ type: "line", prompt, field: new TextField(), answer }));
  }

  deliverTo(deliver: MessageReceiver | undefined): void {
    this.#deliver = deliver;
  }

  /** What was sent last stands there as it was written, with marks for its pastes. A draft is left alone. */
  prefill(text: string): void {
    const field = this.#asked?.type === "line" ? this.#asked.field : this.message.field;
    if (field.isEmpty) field.set(text === this.#last?.text ? this.#last.shown : text);
  }

  /** Sends this as if it had been typed. */
  send(text: string): void {
    this.#take(text, text, "steer");
  }

  /** The person looks away from what is asked; the message stays awaited. */
  leaveCard(): void {
    this.#settle(undefined);
  }

  cancel(): void {
    this.#settle(undefined);
    this.#tellMessage(undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.cancel();
  }

  press(key: TerminalKey): void {
    const asked = this.#asked;
    if (asked?.type === "menu") {
      const outcome = asked.menu.press(key);
      if (outcome.type === "stays") return key.type === "key" ? this.#actBeside(key) : undefined;
      this.#asked = undefined;
      asked.answer(outcome.type === "answer" ? outcome.answer : undefined);
      return outcome.type === "draft" ? this.#compose(key) : undefined;
    }
    if (asked?.type === "card") {
      const outcome = asked.card.press(key, this.#setup.now());
      if (outcome.type === "answer") this.#settle(outcome.line);
      if (outcome.type === "view") this.#setup.handlers.view(asked.card);
      if (outcome.type === "escape") this.#setup.handlers.act("escape");
      if (outcome.type === "draft") {
        this.message.hideAbove(); // above a card's draft is the card
        this.#compose(key);
      } else if (key.type === "key" && outcome.type === "stays") this.#actBeside(key);
    } else if (asked) this.#write(key, asked.field);
    else this.#compose(key);
  }

  /** Ctrl-C and the like also work while a card is open. */
  #actBeside(key: PressedKey): void {
    const action = this.#setup.bindings.actionOf(key, true);
    if (action === "interrupt" || action === "suspend" || action === "redraw" || action === "todos")
      this.#setup.handlers.act(action);
  }

  /**
   * The message that is being written. A key counts for what is there when it is pressed, however fast the keys come: it
   * waits for the menu of this text, or for what was said before. Esc and Ctrl-C give that up.
   */
  #compose(key: TerminalKey): void {
    const { message } = this;
    if (this.#held.length > 0) return this.#hold(key);
    const ready = message.waitsFor(key);
    if (!ready) return this.#writeMessage(key);
    this.#held.push(key);
    return void ready.then(() => this.#release());
  }

  #hold(key: TerminalKey): void {
    const action = key.type === "key" ? this.#setup.bindings.actionOf(key, false) : undefined;
    if (action !== "escape" && action !== "interrupt") return void this.#held.push(key);
    this.#held = [];
    return this.message.lookNoMore();
  }

  #release(): void {
    for (const key of this.#held.splice(0)) this.press(key);
    this.#setup.handlers.changed();
  }

  #writeMessage(key: TerminalKey): void {
    const { message } = this;
    const { field } = message;
    const pressed = message.press(key);
    if (pressed === "sends") return this.#send("send");
    if (pressed === "done" || key.type !== "key") return undefined;
    const action = this.#setup.bindings.actionOf(key, field.isEmpty);
    if (action === "send" || action === "send-after") {
      if (action === "send-after" || !field.continueLine()) this.#send(action);
    } else if (action === "history-search") message.startSearch();
    else if (action === "interrupt" && !field.isEmpty && this.isAsking) {
      field.keep(field.text);
      field.reset();
    } else if (action && !isFieldAction(action)) this.#setup.handlers.act(action);
    return undefined;
  }

  #send(action: "send" | "send-after"): void {
    const { text, shown } = (this.#last = this.message.take());
    if (text.trim() !== "") this.#take(text, shown, action === "send" ? "steer" : "next");
  }

  /** The answer to a question in words. */
  #write(key: TerminalKey, field: TextField): void {
    if (key.type === "paste") return field.paste(key);
    if (key.type !== "key") return undefined;
    const action = this.#setup.bindings.actionOf(key, field.isEmpty);
    if (action === "send") return field.continueLine() ? undefined : this.#settle(field.expanded());
    if (action === "escape") return this.#settle(undefined);
    if (action === "interrupt" && !field.isEmpty) return field.reset();
    if (action && isFieldAction(action)) field.do(action);
    else if (action) this.#setup.handlers.act(action);
    else if (key.text !== "") field.type(key.text);
    return undefined;
  }

  #take(text: string, shown: string, when: Parameters<MessageReceiver>[1]): void {
    if (this.#awaited) {
      this.#setup.handlers.sent(shown);
      return this.#tellMessage(text);
    }
    // While a card stands, nothing else tells that the log has it.
    if (this.#deliver) return void this.#deliver(text, when).then(() => this.#setup.handlers.changed());
    const length = this.#ahead.reduce((sum, each) => sum + each.length, 0);
    if (length + text.length <= mostAhead) this.#ahead.push(text);
    else this.prefill(text); // nobody takes it now: it waits where it was written
    return undefined;
  }

  #wait(asked: (answer: (line: string | undefined) => void) => OpenPrompt): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    this.#settle(undefined);
    return new Promise((resolve) => (this.#asked = asked(resolve)));
  }

  #settle(line: string | undefined): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked?.type === "menu") asked.answer(undefined);
    else asked?.answer(line);
  }

  #tellMessage(text: string | undefined): void {
    const message = this.#awaited;
    this.#awaited = undefined;
    message?.(text);
  }
}
