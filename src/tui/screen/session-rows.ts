/**
 * A session as rows: a fold of its facts and signals. Blocks stand in the order of the log, so whoever opens the
 * session again has the same rows. Finished rows are given out once, from the first block on; the others may change.
 */

import { visibleLine } from "../../base/visible-text.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import {
  type AskedBlock,
  askedKey,
  type Block,
  type CallBlock,
  type EventBlock,
  type QuestionBlock,
  questionKey,
} from "../../view/blocks.ts";
import { reasonLines } from "../../view/plain.ts";
import type { Style } from "../../view/style.ts";
import {
  emptyTranscript,
  findCall,
  forgetOldest,
  isTurnOpen,
  showEntry,
  storedBlock,
  type Transcript,
} from "../../view/transcript.ts";
import { mostHeldBlocks } from "../bounds.ts";
import type { KeyBindings } from "../input/key-bindings.ts";
import {
  answeredRows,
  callRows,
  indentedRows,
  otherRows,
  quietRows,
  repliedRows,
  type RowLayout,
  saidRows,
  thoughtRows,
} from "./block-rows.ts";
import type { PromptMarks } from "./prompt-marks.ts";
import { runningRows } from "./running-rows.ts";
import { shownAgain } from "./shown-again.ts";
import type { SubagentFigures } from "./subagent-rows.ts";
import { TextRows, type TextRowsSetup } from "./text-rows.ts";

export type SessionRowsSetup = TextRowsSetup & {
  style: Style;
  columns: () => number;
  verbose: boolean;
  bindings?: KeyBindings;
  /** Milliseconds since 1970. */
  now: () => number;
  /** None where the terminal has no use for them. */
  promptMarks?: PromptMarks | undefined;
  /** Of a session that works for this one, while it is open here. */
  subagent?: (session: string) => SubagentFigures | undefined;
  /** Nothing is typed here, so that messages have no row yet. */
  isPage?: true;
};

/** What stands next to each other without an empty row between. */
type ScreenRowKind = "nothing" | "said" | "told" | "text" | "ending";

/** The row above: what it was, and whether it was an empty one. */
type LastRow = { kind: ScreenRowKind; isEmpty: boolean };
const nothing: LastRow = { kind: "nothing", isEmpty: false };

/** Rows that belong together. `isFinal`: they will not change. */
type RowGroup = { key: string; kind: ScreenRowKind; rows: readonly string[]; isFinal: boolean };

/** Rows of our own, after the block with this key. */
type Note = { after: string | undefined; kind: ScreenRowKind; rows: readonly string[] };

const beganAnew = "(The answer above broke off. Again from its start:)";
const wasReasoning = "(That was the model's reasoning.)";

export class SessionRows {
  /** Also tells the reason of each decision. */
  verbose: boolean;
  readonly #setup: SessionRowsSetup;
  #transcript: Transcript = emptyTranscript();
  /** The block up to which everything has been given out. */
  #done: string | undefined;
  /** The texts of which some rows have been given out, or that are being written. */
  readonly #texts = new Map<string, TextRows>();
  #notes: Note[] = [];
  #last: LastRow = nothing;
  /** Whether the last text was said by us. */
  #isSaid = false;
  #isHushed = false;
  /** Messages that stand on the screen since they were typed. */
  readonly #typed = new Set<string>();
  /** The message just typed takes others along, which come before it: it is shown in its turn. */
  #takesAlong = false;

  constructor(setup: SessionRowsSetup) {
    this.#setup = setup;
    this.verbose = setup.verbose;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Goes over to a session of which these entries are known: only their last blocks may be shown, by `replay`. */
  startOver(entries: readonly Entry[]): void {
    this.#transcript = emptyTranscript();
    this.#texts.clear();
    this.#typed.clear();
    this.#notes = [];
    this.#last = nothing;
    for (const entry of entries) showEntry(this.#transcript, entry);
    this.#done = this.#transcript.blocks.at(-1)?.key;
  }

  /** Shows the last requests of the session again, with all that came of them. `told`: above them, how many. */
  replay(told: (requests: number) => void): void {
    const { blocks } = this.#transcript;
    const { from, requests } = shownAgain(blocks);
    told(requests);
    this.#done = blocks[from - 1]?.key;
  }

  show(event: Entry | Signal): void {
    const blocks = showEntry(this.#transcript, event, this.#setup.now());
    for (const block of this.#setup.isPage ? [] : blocks)
      if (block.type === "user" && block.how === undefined && !this.#takesAlong) this.#typed.add(block.key);
    if (event.type === "turn-start") this.#isHushed = false;
    const reasons = this.verbose ? reasonLines(event, this.#setup.style) : [];
    if (reasons.length > 0) this.note(reasons);
  }

  /** A message of the person, as they have sent it. */
  said(text: string): void {
    const isCommand = /^[/!]/u.test(text);
    this.#takesAlong =
      !isCommand && this.#transcript.blocks.some((one) => one.type === "queued" && one.state === "waiting");
    if (this.#takesAlong) return;
    this.#notes.push({
      after: this.#pending().at(-1)?.key,
      kind: "said",
      rows: saidRows({ text, images: 0 }, this.#layout),
    });
  }

  /** Adds rows of our own, after what there is so far. */
  note(lines: readonly string[]): void {
    const rows = lines.flatMap((line) => (line === "" ? [""] : indentedRows(line, this.#layout)));
    this.addRows(rows);
  }

  /** The same, of rows that are laid out already. */
  addRows(rows: readonly string[]): void {
    if (rows.length > 0) this.#notes.push({ after: this.#pending().at(-1)?.key, kind: "told", rows });
  }

  /** What the model still writes of this turn is not shown. */
  hush(): void {
    this.#isHushed = true;
  }

  /** `finished`: rows that are given out now, and will never change; `open`: those below them, which may. */
  frame(): { finished: string[]; open: string[] } {
    const finished: string[] = [];
    const open: string[] = [];
    for (const { kind, rows } of this.#notesAfter(undefined)) finished.push(...this.#given(kind, rows));
    let isOpen = false;
    let last = this.#last;
    for (const group of this.#groups()) {
      const text = this.#texts.get(group.key);
      if (group.isFinal && !isOpen) {
        finished.push(...this.#given(group.kind, text ? text.takeFinished() : group.rows));
        this.#finish(group.key);
        for (const { kind, rows } of this.#notesAfter(group.key)) finished.push(...this.#given(kind, rows));
        last = this.#last;
        continue;
      }
      if (!isOpen && text) {
        finished.push(...this.#given(group.kind, text.takeFinished()));
        last = this.#last;
      }
      isOpen = true;
      open.push(...this.#apart(group.kind, text ? [...text.finished, ...text.open()] : group.rows));
      for (const { after, kind, rows } of this.#notes)
        if (after === group.key) open.push(...this.#apart(kind, rows));
    }
    this.#last = last;
    if (finished.length > 0) forgetOldest(this.#transcript, mostHeldBlocks);
    return { finished, open };
  }

  get #layout(): RowLayout {
    const { style, columns, bindings } = this.#setup;
    return { style, columns: columns(), bindings };
  }

  /** Finished rows, on their way out. */
  #given(kind: ScreenRowKind, rows: readonly string[]): readonly string[] {
    const apart = this.#apart(kind, rows);
    const { promptMarks } = this.#setup;
    if (!promptMarks || apart.length === 0) return apart;
    return kind === "said" ? promptMarks.request(apart) : promptMarks.answer(apart);
  }

  /** With the empty row that sets different kinds apart. */
  #apart(kind: ScreenRowKind, rows: readonly string[]): readonly string[] {
    if (rows.length === 0) return rows;
    const { kind: before, isEmpty } = this.#last;
    this.#last = { kind, isEmpty: rows.at(-1) === "" };
    if (before === kind) return rows;
    if (isEmpty) return rows[0] === "" ? rows.slice(1) : rows;
    const isApart = before !== "nothing" && !(before === "text" && kind === "told");
    return isApart && rows[0] !== "" ? ["", ...rows] : rows;
  }

  /** The blocks of which not everything has been given out, in order. */
  #pending(): Block[] {
    const { blocks, live, places } = this.#transcript;
    const from = this.#done === undefined ? 0 : (places.get(this.#done) ?? -1) + 1;
    const stored = blocks.slice(from).map((block) => live.get(block.key) ?? block);
    const others = [...live.values()].filter(({ key }) => !places.has(key));
    return [...stored, ...others].filter(this.#isSeen);
  }

  #finish(key: string): void {
    this.#done = key;
    this.#texts.delete(key);
  }

  /** Takes the notes that stand after this block; without one, those of which the block has been given out. */
  #notesAfter(key: string | undefined): Note[] {
    if (this.#notes.length === 0) return [];
    const pending = key === undefined ? this.#pending() : [];
    const isDue = ({ after }: Note): boolean =>
      key === undefined ? !pending.some((block) => block.key === after) : after === key;
    const due = this.#notes.filter(isDue);
    if (due.length > 0) this.#notes = this.#notes.filter((note) => !isDue(note));
    return due;
  }

  #groups(): RowGroup[] {
    const blocks = this.#pending();
    const over = blocks.findLastIndex(({ type }) => type === "ending");
    const isIdle = !isTurnOpen(this.#transcript);
    const groups: RowGroup[] = [];
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at];
      if (!block) continue;
      const isOver = at <= over || isIdle;
      const quiet = blocks.slice(at, at + this.#quietLength(blocks, at)).filter(this.#isQuiet);
      const end = quiet.at(-1);
      if (end) {
        const isFinal = isOver || endsGroup(blocks[at + quiet.length]);
        groups.push({ key: end.key, kind: "told", rows: quietRows(quiet, this.#layout), isFinal });
        at += quiet.length - 1;
      } else groups.push(this.#group(block, isOver));
    }
    return groups;
  }

  #group(block: Block, isOver: boolean): RowGroup {
    const group = (kind: ScreenRowKind, rows: readonly string[], isFinal = true): RowGroup => ({
      key: block.key,
      kind,
      rows,
      isFinal: (isFinal || isOver) && this.#isStored(block),
    });
    const layout = this.#layout;
    const unsaid = { isSaid: false };
    switch (block.type) {
      case "text":
      case "reasoning":
        return this.#prose(block, isOver);
      case "user":
        return group("said", this.#typed.has(block.key) ? [] : saidRows(block, layout));
      case "call":
        return group("told", this.#callRows(block, isOver), isDone(block));
      case "question":
        return group("told", [], this.#isAnswered(block)); // it stands below its call
      case "asked":
        return group("told", block.reply ? repliedRows(block, layout) : [], this.#isAnswered(block));
      case "limit":
        return group("told", block.answer ? otherRows(block, layout, unsaid) : [], !!block.answer);
      case "queued":
      case "todos":
      case "retry":
        return group("told", []);
      case "failure":
        return group(
          "told",
          block.said.length === 0 || block.text === undefined
            ? []
            : indentedRows(layout.style.dim(beganAnew), layout),
        );
      case "ending":
        return group("ending", otherRows(block, layout, { isSaid: this.#isSaid }));
      case "event":
        if (block.about === "subagent") return group("told", []); // its call has a row
        return group(
          "told",
          block.about === "aside" ? this.#aside(block) : otherRows(block, layout, unsaid),
          this.#transcript.places.has(block.key),
        );
      case "warning":
      case "undone":
      case "kept":
        return group("told", otherRows(block, layout, unsaid));
      default:
        return block satisfies never;
    }
  }

  #callRows(call: CallBlock, isOver: boolean): readonly string[] {
    const layout = this.#layout;
    const question = this.#answeredQuestion(call);
    const answered = question ? answeredRows(question, layout) : [];
    if (isDone(call) || isOver) return [...callRows(call, layout), ...answered];
    const subagent = call.child === undefined ? undefined : this.#setup.subagent?.(call.child);
    return [...runningRows(call, layout, { now: this.#setup.now(), subagent }), ...answered];
  }

  /** A call has its result only after its question has its answer: both are given out together. */
  #answeredQuestion({ callId }: CallBlock): QuestionBlock | undefined {
    const question = storedBlock(this.#transcript, questionKey(callId));
    return question?.type === "question" && question.answer ? question : undefined;
  }

  /** Others are docked below, told by the status or by another block: they part nothing that belongs together. */
  #isSeen = (block: Block): boolean => {
    if (block.type === "call") return !this.#isToldElsewhere(block) || !!this.#answeredQuestion(block);
    return block.type !== "queued" && block.type !== "todos" && block.type !== "retry";
  };

  /** Of a to-do list, or of a question that went well, the call itself has nothing to say. */
  #isToldElsewhere = ({ todos, callId, state }: CallBlock): boolean =>
    state === "ok" && (todos !== undefined || this.#transcript.places.has(askedKey(callId)));

  /** Calls that only read and went well share a row. */
  #isQuiet = (block: Block): block is CallBlock =>
    block.type === "call" &&
    block.does === "read" &&
    block.child === undefined &&
    block.state === "ok" &&
    block.uncovered === undefined &&
    this.#answeredQuestion(block) === undefined;

  /** How many of the blocks from here on are such calls. */
  #quietLength(blocks: readonly Block[], from: number): number {
    const end = blocks.findIndex((block, at) => at >= from && !this.#isQuiet(block));
    return (end === -1 ? blocks.length : end) - from;
  }

  /** An answer beside the conversation is Markdown as well. */
  #aside({ text, details = "" }: EventBlock): string[] {
    const rows = new TextRows(this.#setup, false);
    rows.grow(details, true);
    const { style } = this.#setup;
    return [...indentedRows(style.dim(visibleLine(text)), this.#layout), ...rows.takeFinished()];
  }

  /** Or the call is over without an answer, because it was cancelled. */
  #isAnswered(block: QuestionBlock | AskedBlock): boolean {
    if (block.type === "question" ? block.answer : block.reply) return true;
    const call = findCall(this.#transcript, block.callId);
    return call !== undefined && isDone(call);
  }

  /** What only signals have told may vanish. */
  #isStored = ({ key }: Block): boolean => this.#transcript.places.has(key);

  #prose(block: Extract<Block, { type: "text" | "reasoning" }>, isOver: boolean): RowGroup {
    const isFinal = (!block.open || isOver) && this.#isStored(block);
    const isOurs = block.type === "text" && block.by === "toolwright";
    this.#isSaid = isOurs;
    const { key } = block;
    const started = this.#texts.get(key);
    if (block.type === "reasoning") {
      const layout = this.#layout;
      const late = started?.hasGivenOut === true ? indentedRows(layout.style.dim(wasReasoning), layout) : [];
      this.#texts.delete(key);
      return { key, kind: "told", rows: [...late, ...thoughtRows(block, layout)], isFinal };
    }
    const isHushed = this.#isHushed && !isOurs;
    if (isHushed && !started) return { key, kind: "text", rows: [], isFinal };
    const text = started ?? new TextRows(this.#setup, isOurs);
    this.#texts.set(key, text);
    text.grow(isHushed ? "" : block.text, isFinal);
    return { key, kind: "text", rows: [], isFinal };
  }
}

/** What follows calls that only read: nothing yet, or a call that may turn out to be one more of them. */
function endsGroup(next: Block | undefined): boolean {
  if (next?.type !== "call") return next !== undefined;
  return isDone(next) || (next.does !== undefined && next.does !== "read");
}

const isDone = ({ state }: CallBlock): boolean =>
  state !== "writing" && state !== "pending" && state !== "asking" && state !== "running";
