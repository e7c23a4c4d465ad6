/** Answers a card with keys: one key, a choice with Enter, or words that are typed. */

import type { PlanStep } from "../../protocol/facts.ts";
import type { AskedBlock } from "../../view/blocks.ts";
import type { Card, CardOffer } from "../card.ts";
import { type InputAction, isFieldAction, type KeyBindings } from "../input/key-bindings.ts";
import type { TerminalKey, PressedKey } from "../input/key.ts";
import { TextField } from "../input/text-field.ts";
import { styledRows } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";
import { cardRows, fittedCard, type KeyOffer, offerRows } from "./card-rows.ts";
import { draftRows } from "./docks.ts";
import { hintsOf, keyHint, moveHint } from "./key-hints.ts";

/**
 * Whoever types when a card appears has not seen it, and whoever types a letter that is not on it writes a message: these
 * keys belong to the draft, until the typing pauses.
 */
const unseenMs = 300;
const pauseMs = 700;

/** Keys for a message that stands on the card: its end is in sight, its cursor is not. */
const ofDraft: ReadonlySet<string> = new Set([
  "send-after",
  "delete-left",
  "cut-word-left",
  "cut-to-space",
  "cut-to-start",
  "undo",
] satisfies InputAction[]);

/** `draft`: the key belongs to the message being written. `escape`: no, and the request stops. */
type CardOutcome = { type: "answer"; line: string } | { type: "view" | "escape" | "draft" | "stays" };

const stays: CardOutcome = { type: "stays" };
const toDraft: CardOutcome = { type: "draft" };
const answer = (line: string): CardOutcome => ({ type: "answer", line });

/** Words that are typed: they follow what is before them. */
type TypedWords = { label: string; field: TextField; line: (words: string) => string };

type CardPlace = { selected: number };

/** The message that is being written, which what the card has no use for goes to. */
type CardDraft = Pick<TextField, "text" | "isEmpty">;

type CardFieldSetup = { bindings: KeyBindings; now: number; draft: CardDraft; place?: CardPlace };

export class CardField {
  readonly card: Card;
  readonly #bindings: KeyBindings;
  readonly #draft: CardDraft;
  #unseenUntil: number;
  /** Where the person is; kept when a plan is shown again with one step less. */
  readonly place: CardPlace;
  #words: TypedWords | undefined;
  /** Chosen, and waits for Enter. */
  #armed: CardOffer | undefined;
  readonly #several = new Set<number>();

  constructor(card: Card, { bindings, now, draft, place }: CardFieldSetup) {
    this.card = card;
    this.#bindings = bindings;
    this.#draft = draft;
    this.#unseenUntil = now + unseenMs;
    this.place = place ?? { selected: 0 };
    this.place.selected = Math.min(this.place.selected, Math.max(0, this.#items.length - 1));
  }

  press(key: TerminalKey, now: number): CardOutcome {
    if (key.type === "focus") return stays;
    const isEscape = key.type === "key" && this.#bindings.actionOf(key, false) === "escape";
    if (isEscape && this.#back) return answer(this.#back.answer); // which takes nothing away, so at once
    if (now < this.#unseenUntil) {
      this.#unseenUntil = now + pauseMs;
      return toDraft;
    }
    if (this.#words) return this.#write(this.#words, key);
    const outcome = this.#pressSeen(key);
    if (outcome.type === "draft") this.#unseenUntil = now + pauseMs;
    return outcome;
  }

  /** The person has seen the card, and writes no message now. */
  #pressSeen(key: Exclude<TerminalKey, { type: "focus" }>): CardOutcome {
    if (key.type === "paste") return this.#isChoice ? this.#begin(this.#ownWords(), key) : toDraft;
    const action = this.#bindings.actionOf(key, false);
    if (action === "escape") {
      const isArmed = this.#armed !== undefined;
      this.#armed = undefined;
      return isArmed ? stays : { type: "escape" };
    }
    if (action === "send") return this.#entered();
    if (this.#armed) {
      this.#armed = undefined; // a word that began with the key is no answer
      return stays;
    }
    if (action !== undefined && ofDraft.has(action) && !this.#draft.isEmpty) return toDraft;
    return this.#select(key) ?? this.#offered(key);
  }

  /** `most`: rows. The cursor stands where words are typed. */
  rows(layout: RowLayout, most: number): { rows: string[]; cursor?: { row: number; column: number } } {
    const { style } = layout;
    const draft = draftRows(this.#draft.text, layout, { isSent: this.#sendsDraft });
    const all = cardRows(this.card, layout, this.#items.length > 0 ? this.place.selected : -1);
    const marked =
      this.#several.size === 0 ? all : { ...all, foot: [...all.foot, `  ${style.green(this.#chosenWords)}`] };
    if (!this.#words) {
      const offers = this.#offerRows(layout, Math.max(2, Math.floor(most / 3)));
      const space = most - offers.length - draft.length;
      return { rows: [...fittedCard(marked, space, layout), ...offers, ...draft] };
    }
    const { label, field } = this.#words;
    const isLong = label.length > layout.columns / 2;
    const above = isLong ? [style.bold(` ${label}`)] : [];
    const margin = isLong ? " " : ` ${label} `;
    const laid = field.layout(layout.columns - margin.length, Math.max(1, Math.floor(most / 2) - 1));
    const written = laid.rows.map(
      (row, at) => (at === 0 ? style.bold(margin) : " ".repeat(margin.length)) + row,
    );
    const below = above.length + written.length + 1 + draft.length;
    const rows = [...fittedCard(marked, Math.max(1, most - below), layout), ...above];
    return {
      rows: [
        ...rows,
        ...written,
        style.dim(
          ` ${[...hintsOf(layout, "send", "answers"), ...hintsOf(layout, "escape", "back")].join("   ")}`,
        ),
        ...draft,
      ],
      cursor: { row: rows.length + laid.cursor.row, column: margin.length + laid.cursor.column },
    };
  }

  /** What is behind `v`: everything, however long. */
  whole(layout: RowLayout): string[] {
    const { head, body, foot } = cardRows(this.card, layout, -1);
    return [...head, ...body, ...foot, "", ...this.#offerRows(layout, Infinity)];
  }

  get #back(): CardOffer | undefined {
    return this.card.offers.find(({ isBack }) => isBack === true);
  }

  get #isChoice(): boolean {
    return this.card.content.type === "choice";
  }

  get #asked(): AskedBlock | undefined {
    const { content } = this.card;
    return content.type === "choice" || content.type === "plan" ? content.asked : undefined;
  }

  get #items(): readonly unknown[] {
    return this.#asked?.steps ?? this.#asked?.choices ?? [];
  }

  get #chosenWords(): string {
    const numbers = [...this.#several].toSorted((one, other) => one - other).map((at) => at + 1);
    return `chosen: ${numbers.join(", ")}`;
  }

  #offerRows(layout: RowLayout, most: number): string[] {
    if (!this.#armed) return offerRows([...this.#ownOffers(), ...this.#keysOfContent()], layout, most);
    const [enter, escape] = [this.#key("send"), this.#key("escape")].map(layout.style.bold);
    const words = `${enter} ${this.#armed.words}   ${escape} back`;
    return styledRows(words, layout.columns, { first: " ", rest: " " });
  }

  #key(action: Parameters<typeof keyHint>[1]): string {
    return keyHint({ bindings: this.#bindings }, action);
  }

  /** The last wider yes says what it covers, and says it whole. Most needed are a yes and the no. */
  #ownOffers(): KeyOffer[] {
    const { content, offers } = this.card;
    const covers = content.type === "approval" ? content.question.grant : "";
    const widest = offers.findLast(({ answer: said }) => said === "t" || said === "s" || said === "p");
    return offers.map((offer, at) => {
      const key = this.#keyOf(offer);
      if (offer === widest && covers !== "")
        return { key, words: `${offer.words}: ${covers}`, rank: 4, isWhole: true };
      return { key, words: offer.words, rank: at === 0 ? 0 : offer.needs === "words" ? 2 : undefined };
    });
  }

  #keyOf({ key, needs, isBack }: CardOffer): string {
    if (needs === "enter") return `${key} ${this.#key("send")}`;
    return isBack === true ? `${key} ${this.#key("escape")}` : key;
  }

  #keysOfContent(): KeyOffer[] {
    const { type } = this.card.content;
    const asked = this.#asked;
    const escape = this.#key("escape");
    const choose = { key: moveHint({ bindings: this.#bindings }), words: "choose" };
    const refuse = { key: escape, words: "no and stop", rank: 3 };
    if (type === "choice") {
      const several = asked?.several === true ? "choose, space for several" : "choose";
      return [
        ...(this.#items.length > 0
          ? [{ key: `${choose.key} ${this.#key("send")}`, words: several, rank: 0 }]
          : []),
        { key: "type", words: "your own words", rank: 1 },
        refuse,
      ];
    }
    const change = [
      { key: "d", words: "drop" },
      { key: "e", words: "reword" },
      { key: "J K", words: "move" },
      choose,
    ];
    return [
      ...(type === "plan" && this.#items.length > 0 ? change : []),
      { key: "v", words: "view", rank: 1 },
      ...(this.#back ? [] : [refuse]),
    ];
  }

  /** Moving, and what can be done to the chosen item. */
  #select(key: PressedKey): CardOutcome | undefined {
    const { length } = this.#items;
    const { place } = this;
    const at = place.selected;
    if (length === 0) return undefined;
    const action = this.#bindings.actionOf(key, false);
    if (action === "up" || action === "down") {
      place.selected = Math.min(length - 1, Math.max(0, at + (action === "up" ? -1 : 1)));
      return stays;
    }
    const steps = this.#asked?.steps;
    if (steps) return this.#changePlan(key, steps);
    if (/^[1-9]$/u.test(key.text)) {
      if (Number(key.text) > length) return stays;
      place.selected = Number(key.text) - 1;
      if (!this.#isChoice) return stays;
      return this.#asked?.several === true ? this.#toggle() : { type: "answer", line: key.text };
    }
    return key.name === "space" && this.#asked?.several === true ? this.#toggle() : undefined;
  }

  #toggle(): CardOutcome {
    const at = this.place.selected;
    if (!this.#several.delete(at)) this.#several.add(at);
    return stays;
  }

  #changePlan({ text }: PressedKey, steps: readonly PlanStep[]): CardOutcome | undefined {
    const { place } = this;
    const at = place.selected;
    if (text === "d") return answer(`drop ${at + 1}`);
    if (text === "e") {
      const words: TypedWords = {
        label: `${at + 1}:`,
        field: new TextField(),
        line: (said) => `${at + 1}: ${said}`,
      };
      words.field.type(steps[at]?.title ?? "");
      this.#words = words;
      return stays;
    }
    if (text !== "J" && text !== "K") return undefined;
    const to = at + (text === "J" ? 1 : -1);
    if (to < 0 || to >= steps.length) return stays;
    place.selected = to;
    return answer(`move ${at + 1} to ${to + 1}`);
  }

  #offered(key: PressedKey): CardOutcome {
    if (key.text === "") return stays;
    const offer = this.card.offers.find((each) => each.key === key.text);
    if (this.#isChoice) return this.#begin(this.#ownWords(), key);
    if (key.text === "v") return { type: "view" };
    if (!offer) return toDraft;
    if (offer.needs === "enter") this.#armed = offer;
    else if (offer.needs === "words") this.#words = wordsAfter(offer);
    else return { type: "answer", line: offer.answer };
    return stays;
  }

  /** Whether Enter is for the draft: the card itself has no use for it. */
  get #sendsDraft(): boolean {
    return !this.#words && !this.#armed && !this.#hasChoices && !this.#draft.isEmpty;
  }

  get #hasChoices(): boolean {
    return this.#isChoice && this.#items.length > 0;
  }

  #entered(): CardOutcome {
    const armed = this.#armed;
    if (armed) return { type: "answer", line: armed.answer };
    if (!this.#hasChoices) return this.#sendsDraft ? toDraft : stays;
    const chosen =
      this.#several.size === 0 ? [this.place.selected] : [...this.#several].toSorted((a, b) => a - b);
    return { type: "answer", line: chosen.map((at) => at + 1).join(",") };
  }

  #ownWords(): TypedWords {
    return { label: ">", field: new TextField(), line: (said) => said };
  }

  #begin(words: TypedWords, key: TerminalKey): CardOutcome {
    this.#words = words;
    return this.#write(words, key);
  }

  #write(words: TypedWords, key: TerminalKey): CardOutcome {
    const { field } = words;
    if (key.type === "paste") field.paste(key);
    if (key.type !== "key") return stays;
    const action = this.#bindings.actionOf(key, field.isEmpty);
    if (action === "escape" || action === "interrupt") this.#words = undefined;
    else if (action === "send") {
      if (field.continueLine()) return stays;
      return { type: "answer", line: words.line(field.expanded().trim()) };
    } else if (key.text !== "" && !key.ctrl && !key.alt) field.type(key.text);
    else if (action && isFieldAction(action)) field.do(action);
    if (field.isEmpty && action === "delete-left") this.#words = undefined;
    return stays;
  }
}

/** "n, because": the reason follows the answer; without one it stands alone. */
const wordsAfter = ({ answer, words }: CardOffer): TypedWords => ({
  label: `${words}:`,
  field: new TextField(),
  line: (said) => [answer, said].filter((part) => part !== "").join(", "),
});
