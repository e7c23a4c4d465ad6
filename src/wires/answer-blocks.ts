/** Puts an answer in the order of formats that say one block after the other: each begun, filled and ended. */

import type { Opaque, ToolCall } from "../protocol/messages.ts";
import type { ModelEvent, Usage } from "../protocol/model-events.ts";
import { restOfArguments } from "./openai-chat/arguments.ts";

/**
 * One block. `index` counts all blocks, `place` those of a call or those of anything else; `waiting` are the pieces
 * that are not sent yet.
 */
export type OutgoingBlock = {
  kind: "text" | "reasoning" | "call";
  index: number;
  place: number;
  /** Of a call. */
  id: string;
  name: string;
  /** Of reasoning, once it has ended. */
  state: Opaque | undefined;
  /** What a call has become, once it has ended well. */
  call: ToolCall | undefined;
  waiting: string[];
  sent: string;
  isBegun: boolean;
  isOver: boolean;
};

/** How a wire writes a block: what it says where the block begins, goes on and ends. */
type BlockFormat<Said> = {
  begin: (block: OutgoingBlock) => Said;
  piece: (block: OutgoingBlock, text: string) => Said;
  end: (block: OutgoingBlock) => Said;
  /** Whether the format can carry this state: with the reasoning it ends, or only as a block of its own. */
  carries: (state: Opaque | undefined) => "with" | "alone" | undefined;
};

/** The blocks of an answer. Only the first open one is sent, because blocks cannot interleave: later ones wait. */
export class AnswerBlocks<Said = string> {
  usage: Usage | undefined;
  readonly #format: BlockFormat<Said>;
  readonly #blocks: OutgoingBlock[] = [];
  readonly #calls = new Map<string, OutgoingBlock>();
  #next = 0;

  constructor(format: BlockFormat<Said>) {
    this.#format = format;
  }

  get called(): boolean {
    return this.#calls.size > 0;
  }

  /** Takes an event and returns what can be sent now. */
  write(event: ModelEvent): Said[] {
    if (event.type === "text-delta") this.#textBlock("text", event.text);
    else if (event.type === "reasoning-delta") this.#textBlock("reasoning", event.text);
    else if (event.type === "reasoning-end") this.#endReasoning(event.state);
    else if (event.type === "call-start") this.#call(event.id, event.name);
    else if (event.type === "call-delta") this.#call(event.id, "").waiting.push(event.json);
    else if (event.type === "call-end") this.#endCall(event.call);
    else if (event.type === "text-was-reasoning") this.#endTexts();
    else if (event.type === "usage") this.usage = event.usage;
    return this.#flush();
  }

  /** Ends all blocks. A call that never ended must not be read as one without arguments, or as a complete one. */
  end(): Said[] {
    for (const block of this.#blocks) {
      if (block.kind === "call" && !block.isOver)
        block.waiting.push(block.sent + block.waiting.join("") === "" ? '{"' : " /* cut off */");
      block.isOver = true;
    }
    return this.#flush();
  }

  #endTexts(): void {
    const last = this.#blocks.at(-1);
    if (last && last.kind !== "call") last.isOver = true;
  }

  #open(kind: OutgoingBlock["kind"], { id, name } = { id: "", name: "" }): OutgoingBlock {
    this.#endTexts();
    const index = this.#blocks.length;
    const place = kind === "call" ? this.#calls.size : index - this.#calls.size;
    const nothing = { state: undefined, call: undefined, waiting: [], sent: "" };
    const block: OutgoingBlock = { kind, index, place, id, name, ...nothing, isBegun: false, isOver: false };
    this.#blocks.push(block);
    return block;
  }

  #textBlock(kind: "text" | "reasoning", text: string): void {
    const last = this.#blocks.at(-1);
    if (text !== "") (last?.kind === kind && !last.isOver ? last : this.#open(kind)).waiting.push(text);
  }

  #endReasoning(state: Opaque | undefined): void {
    const last = this.#blocks.at(-1);
    const carried = this.#format.carries(state);
    const isOpen = last?.kind === "reasoning" && !last.isOver;
    if (!isOpen && !carried) return;
    const block = isOpen && carried !== "alone" ? last : this.#open("reasoning");
    if (carried) block.state = state;
    block.isOver = true;
  }

  #call(id: string, name: string): OutgoingBlock {
    const known = this.#calls.get(id);
    if (known) return known;
    const block = this.#open("call", { id, name });
    this.#calls.set(id, block);
    return block;
  }

  #endCall(call: ToolCall): void {
    const block = this.#call(call.id, call.name);
    block.waiting.push(restOfArguments(call, block.sent + block.waiting.join("")));
    block.call = call;
    block.isOver = true;
  }

  #flush(): Said[] {
    const { begin, piece, end } = this.#format;
    const said: Said[] = [];
    for (let block = this.#blocks[this.#next]; block; block = this.#blocks[this.#next]) {
      if (!block.isBegun) said.push(begin(block));
      block.isBegun = true;
      for (const text of block.waiting.splice(0)) {
        if (text !== "") said.push(piece(block, text));
        block.sent += text;
      }
      if (!block.isOver) break;
      said.push(end(block));
      this.#next += 1;
    }
    return said;
  }
}
