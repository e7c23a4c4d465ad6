/** The input of messages: a text field with a menu of what completes it, what was said before, and vi's keys if wanted. */

import type { Completions } from "../input/completions.ts";
import type { HistorySearch, InputHistory } from "../input/history.ts";
import { isFieldAction, type KeyBindings } from "../input/key-bindings.ts";
import type { TerminalKey, PressedKey } from "../input/key.ts";
import { isMenuKey, Menu } from "../input/menu.ts";
import { TextField } from "../input/text-field.ts";
import { ViKeys } from "../input/vi-keys.ts";
import { clippedRow } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";
import { countedRows } from "./menu-rows.ts";

type MessageFieldSetup = {
  bindings: KeyBindings;
  completions: Completions;
  history: InputHistory;
  /** ↑ was pressed in an empty input: what was sent, waits, and can be written anew. */
  takeBack: () => Promise<string | undefined>;
  /** ↓ was pressed in an empty input, and nothing newer was said. */
  below: () => void;
  /** Something has changed that no key has just caused. */
  changed: () => void;
};

/** `sends`: the key completed a command that is sent at once. */
type FieldPress = "done" | "sends" | "other";

export class MessageField {
  readonly field = new TextField();
  readonly #setup: MessageFieldSetup;
  #menu: Menu | undefined;
  /** The text at which the person has closed the menu. */
  #closedAt: string | undefined;
  #search: HistorySearch | undefined;
  #vi: ViKeys | undefined;
  /** A newer search for candidates makes an older one void. */
  #looked = 0;
  /** Ends when the menu is that of the text; undefined while it is. */
  #lookup: Promise<void> | undefined;
  /** Ends when what was said before stands there. */
  #stepping: Promise<void> | undefined;
  #steps = 0;

  constructor(setup: MessageFieldSetup) {
    this.#setup = setup;
  }

  /** Returns whether vi's keys are on now. */
  toggleVi(): boolean {
    this.#vi = this.#vi ? undefined : new ViKeys(this.field);
    return this.#vi !== undefined;
  }

  /** What vi waits for, to be seen; undefined without vi. */
  get viMode(): string | undefined {
    return this.#vi && `${this.#vi.mode}${this.#vi.pending === "" ? "" : ` ${this.#vi.pending}`}`;
  }

  /** `other`: the key is not for the field. */
  press(key: TerminalKey): FieldPress {
    const before = this.field.text;
    const press = this.#press(key);
    if (this.field.text !== before) {
      this.#closedAt = undefined;
      if (key.type !== "key" || !this.#isStep(key)) this.#setup.history.leave();
    }
    this.#complete();
    return press;
  }

  /** What the effect of this key depends on while that is still looked for: the choice of a menu, or the text itself. */
  waitsFor(key: TerminalKey): Promise<void> | undefined {
    return this.#stepping ?? (key.type === "key" && isMenuKey(key) ? this.#lookup : undefined);
  }

  /** The person waits no longer for a menu, or for what was said before. */
  lookNoMore(): void {
    this.#steps += 1;
    this.#stepping = undefined;
    this.hideAbove();
  }

  /** A menu or a search that is not in sight takes no key. */
  hideAbove(): void {
    this.#looked += 1;
    this.#lookup = undefined;
    this.#search = undefined;
    this.#closeMenu();
  }

  startSearch(): void {
    this.#menu = undefined;
    this.#search = this.#setup.history.search();
  }

  /** Takes what is written, to be sent. `shown`: with marks for pastes. */
  take(): { text: string; shown: string } {
    const { field } = this;
    const taken = { text: field.expanded(), shown: field.text };
    field.reset();
    this.#vi?.reset();
    this.#menu = undefined;
    this.#setup.history.add(taken.text);
    const [, command] = /^\/(\S+)/u.exec(taken.text) ?? [];
    if (command !== undefined) this.#setup.completions.use(command);
    return taken;
  }

  /** The menu or the search, above the input. `most`: rows. */
  rowsAbove(layout: RowLayout, most: number): string[] {
    const { style, columns } = layout;
    if (this.#search) {
      const { query, text, from, to } = this.#search.match;
      const found =
        text === undefined
          ? style.dim(query === "" ? "type what you look for" : "nothing")
          : text.slice(0, from) + style.inverse(text.slice(from, to)) + text.slice(to);
      const line = found.replaceAll("\n", "⏎");
      return [clippedRow(`  ${style.bold("search")} ${query}: ${line}`, columns)];
    }
    return this.#menu ? countedRows(this.#menu, layout, most) : [];
  }

  #press(key: TerminalKey): FieldPress {
    if (key.type === "paste") this.field.paste(key);
    if (key.type !== "key") return "done";
    if (this.#search) return this.#find(this.#search, key);
    const answer = this.#menu?.press(key);
    if (answer?.type === "menu-closed") {
      this.#closeMenu();
      return "done";
    }
    if (answer?.type === "menu-moved") return "done";
    if (answer?.type === "candidate-taken" && !this.#isWritten(answer)) return this.#put(answer);
    if (this.#vi?.press(key) === true) return "done";
    return this.#write(key);
  }

  #closeMenu(): void {
    this.#menu = undefined;
    this.#closedAt = this.field.text;
  }

  /** Enter on what stands there already sends the message. */
  #isWritten({ from, insert, by }: { from: number; insert: string; by: "tab" | "enter" }): boolean {
    return by === "enter" && insert.trimEnd() === this.field.beforeCursor().slice(from);
  }

  #put({ from, insert, by }: { from: number; insert: string; by: "tab" | "enter" }): FieldPress {
    const { field } = this;
    const { line, at } = field.cursor;
    const isCommand = line === 0 && field.text.startsWith("/") && !insert.startsWith("@");
    field.replace({ line, at: from }, { line, at }, insert);
    this.#menu = undefined;
    if (by === "tab" || !isCommand) return "done";
    return "sends";
  }

  #write(key: PressedKey): FieldPress {
    const { field } = this;
    const action = this.#setup.bindings.actionOf(key, field.isEmpty);
    if (action === "up" || action === "down") {
      if (!field.do(action)) this.#wait(this.#step(action));
      return "done";
    }
    if (action && isFieldAction(action)) field.do(action);
    else if (action) return "other";
    else if (key.text !== "") field.type(key.text);
    return "done";
  }

  #isStep(key: PressedKey): boolean {
    const action = this.#setup.bindings.actionOf(key, false);
    return action === "up" || action === "down";
  }

  /** The next keys are meant for what this leads to. */
  #wait(work: Promise<unknown>): void {
    const over = (): void => {
      if (this.#stepping === waiting) this.#stepping = undefined;
    };
    const waiting = work.then(over, over);
    this.#stepping = waiting;
  }

  async #step(action: "up" | "down"): Promise<void> {
    const { changed, below } = this.#setup;
    this.#steps += 1;
    const step = this.#steps;
    const text = await (action === "up" ? this.#above() : this.#setup.history.newer()).catch(() => undefined);
    if (step !== this.#steps) return;
    if (text === undefined && action === "down" && this.field.isEmpty) below();
    if (text === undefined) return;
    this.field.set(text);
    this.#closeMenu();
    changed();
  }

  async #above(): Promise<string | undefined> {
    const { history, takeBack } = this.#setup;
    const waiting = this.field.isEmpty ? await takeBack() : undefined;
    return waiting ?? history.older(this.field.text);
  }

  #find(search: HistorySearch, key: PressedKey): FieldPress {
    const { bindings, changed } = this.#setup;
    const action = bindings.actionOf(key, false);
    if (action === "escape" || action === "interrupt") this.#search = undefined;
    else if (action === "send") {
      const { text } = search.match;
      this.#search = undefined;
      if (text !== undefined) this.field.set(text);
      this.#closedAt = this.field.text;
    } else if (action === "history-search") this.#wait(search.older().then(changed));
    else if (action === "delete-left") this.#wait(search.deleteLeft().then(changed));
    else if (key.text !== "") this.#wait(search.type(key.text).then(changed));
    return "done";
  }

  /** What is no longer completed has no menu at once; anything else keeps its menu until there is a newer one. */
  #complete(isMore = false): void {
    const { field } = this;
    if (this.#search || field.text === this.#closedAt) return;
    this.#looked += 1;
    const looked = this.#looked;
    this.#lookup = undefined;
    if (!this.#setup.completions.completes(field.beforeCursor(), field.cursor.line === 0)) {
      this.#menu = undefined;
      return;
    }
    this.#lookup = this.#lookUp(looked, isMore);
  }

  async #lookUp(looked: number, isMore: boolean): Promise<void> {
    const { completions, changed } = this.#setup;
    const { field } = this;
    const { text } = field;
    const more = (): void => {
      if (looked === this.#looked && field.text === text) this.#complete(true);
    };
    const found = await completions
      .candidatesFor(field.beforeCursor(), field.cursor.line === 0, more)
      .catch(() => undefined);
    if (looked !== this.#looked) return;
    this.#lookup = undefined;
    if (field.text !== text) return;
    const menu = found && new Menu(found);
    if (isMore) menu?.choose(this.#menu?.chosen);
    const hadMenu = this.#menu !== undefined;
    this.#menu = menu?.isEmpty === false ? menu : undefined;
    if (hadMenu || this.#menu) changed();
  }
}
