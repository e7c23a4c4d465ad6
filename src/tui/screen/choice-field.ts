/** A menu in the place of the input: arrows or a figure go to a choice, typing looks for one, Enter takes it. */

import { visibleLine } from "../../base/visible-text.ts";
import type { CardOffer } from "../card.ts";
import type { ChoiceAnswer, ChoiceMenu } from "../choice.ts";
import { isFieldAction, type KeyBindings } from "../input/key-bindings.ts";
import type { PressedKey, TerminalKey } from "../input/key.ts";
import { Menu } from "../input/menu.ts";
import { TextField } from "../input/text-field.ts";
import type { RowLayout } from "./block-rows.ts";
import { type KeyOffer, offerRows } from "./card-rows.ts";
import { spread } from "./docks.ts";
import { hintsOf, keyHint, moveHint } from "./key-hints.ts";
import { menuRows } from "./menu-rows.ts";

/** `left`: everything stays as it was. `draft`: so it does, and the key belongs to the message being written. */
type ChoiceOutcome = { type: "stays" | "left" | "draft" } | { type: "answer"; answer: ChoiceAnswer };

const stays: ChoiceOutcome = { type: "stays" };
const toDraft: ChoiceOutcome = { type: "draft" };

export class ChoiceField {
  readonly #choices: ChoiceMenu;
  readonly #bindings: KeyBindings;
  readonly #query = new TextField();
  #menu: Menu;
  /** A key that was pressed and waits for Enter. */
  #armed: CardOffer | undefined;

  constructor(choices: ChoiceMenu, bindings: KeyBindings) {
    this.#choices = choices;
    this.#bindings = bindings;
    this.#menu = this.#matching("");
    this.#menu.goTo(choices.at ?? 0);
  }

  press(key: TerminalKey): ChoiceOutcome {
    if (key.type === "focus") return stays;
    if (key.type === "paste" && this.#choices.keys) return toDraft;
    if (key.type === "paste") return this.#look(() => this.#query.type(visibleLine(key.text)));
    const action = this.#bindings.actionOf(key, this.#query.isEmpty);
    if (this.#armed) return this.#confirm(this.#armed, action === "send");
    if (action === "escape" || action === "interrupt" || action === "exit") return { type: "left" };
    const pressed = this.#menu.press(key);
    if (pressed?.type === "candidate-taken") return this.#answer(Number(pressed.insert));
    if (pressed) return stays;
    if (this.#choices.keys) return this.#keyed(key, this.#choices.keys);
    if (action === "send") return this.#words();
    if (action && isFieldAction(action)) return this.#look(() => void this.#query.do(action));
    return key.text === "" ? stays : this.#look(() => this.#query.type(key.text));
  }

  /** `most`: rows. The cursor stands where the person types. */
  rows(layout: RowLayout, most: number): { rows: string[]; cursor: { row: number; column: number } } {
    const { style } = layout;
    const { title, keys, choices } = this.#choices;
    const { count } = this.#menu;
    const hints = offerRows(this.#offers(), layout, Infinity);
    const shown = menuRows(this.#menu.rows(most - hints.length - 2), layout);
    const none = ["none of them", ...hintsOf({ bindings: this.#bindings }, "send", "takes what you typed")];
    const rows = count === 0 ? [style.dim(`  ${none.join("; ")}`)] : shown;
    const of = count > rows.length ? `${count} of ${choices.length}` : "";
    const head = spread(style.bold(style.yellow(`? ${title}`)), style.dim(of), layout.columns);
    if (keys)
      return { rows: [head, ...rows, ...hints], cursor: { row: rows.length + hints.length, column: 0 } };
    const laid = this.#query.layout(Math.max(10, layout.columns - prompt.length), 1);
    const written = laid.rows.map((row) => style.bold(prompt) + row);
    return {
      rows: [head, ...rows, ...written, ...hints],
      cursor: { row: rows.length + 1 + laid.cursor.row, column: prompt.length + laid.cursor.column },
    };
  }

  #offers(): KeyOffer[] {
    const { keys } = this.#choices;
    const hinted = { bindings: this.#bindings };
    const moves = { key: moveHint(hinted), words: keys ? "choose" : "or a figure" };
    const back = { key: keyHint(hinted, "escape"), words: "back" };
    const enter = keyHint(hinted, "send");
    if (this.#armed) return [{ key: enter, words: this.#armed.words }, back];
    if (keys) return [...keys.map((offer) => withEnter(offer, enter)), moves, back];
    const take = { key: enter, words: "takes it" };
    return [take, moves, { key: "type", words: "to look for one" }, back];
  }

  #matching(query: string): Menu {
    const { choices, first = 1 } = this.#choices;
    const candidates = choices.map(({ name, says }, at) => ({
      name: visibleLine(name),
      says: visibleLine(says),
      insert: String(at),
      number: first + at,
    }));
    return new Menu({ from: 0, query, candidates });
  }

  #look(type: () => void): ChoiceOutcome {
    const before = this.#query.text;
    type();
    if (this.#query.text !== before) this.#menu = this.#matching(this.#query.text.trim());
    return stays;
  }

  /** Whoever types anything else writes a message. */
  #keyed({ text, ctrl, alt }: PressedKey, keys: NonNullable<ChoiceMenu["keys"]>): ChoiceOutcome {
    if (text === "" || ctrl || alt) return stays;
    const offer = keys.find((each) => each.key === text);
    if (offer) return this.#take(offer);
    if (!/^[1-9]$/u.test(text)) return toDraft;
    this.#menu.goTo(Number(text) - (this.#choices.first ?? 1));
    return stays;
  }

  #take(offer: CardOffer): ChoiceOutcome {
    if (offer.needs !== "enter") return this.#confirm(offer, true);
    this.#armed = offer;
    return stays;
  }

  /** Any other key takes it back: a word that began with it was none. */
  #confirm({ answer }: CardOffer, isMeant: boolean): ChoiceOutcome {
    this.#armed = undefined;
    const at = this.#menu.chosen;
    return isMeant && at !== undefined ? this.#answer(Number(at.insert), answer) : stays;
  }

  #answer(at: number, key?: string): ChoiceOutcome {
    return { type: "answer", answer: { type: "choice", at, key } };
  }

  #words(): ChoiceOutcome {
    const words = this.#query.text.trim();
    return words === "" ? stays : { type: "answer", answer: { type: "words", words } };
  }
}

const withEnter = ({ key, words, needs }: CardOffer, enter: string): KeyOffer => ({
  key: needs === "enter" ? `${key} ${enter}` : key,
  words,
});

const prompt = "> ";
