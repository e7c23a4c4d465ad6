/** Emits calls as events: assigns ids, displays calls while they stream, and withholds uncertain ones. */

import type { ToolCall } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { namelessCall } from "../../protocol/unreadable.ts";
import { textCallBounds } from "../bounds.ts";
import type { MarkedDialect } from "../dialect.ts";
import type { FindRepeated } from "../repeated-calls.ts";
import type { ReadCall } from "./reader.ts";

/** More calls than this in one answer indicate a runaway model. */
export const mostCalls = textCallBounds.textCalls.most;

export interface CallEmitter {
  readonly show: (name: string, id?: string) => void;
  readonly showArguments: (json: string) => void;
  /** `written`: the call as it stands in the answer. */
  tell(call: ReadCall, from: DialectOrigin, written: string): void;
  /** A closing tag was left over: withheld and later calls cannot be trusted (N19). */
  readonly doubt: () => void;
  /** The answer ended well: emits what was withheld. */
  release(): void;
  /** Whether calls are withheld. */
  readonly holds: boolean;
  readonly held: readonly ToolCall[];
  /** How many calls were emitted: `mostCalls` plus one if there were too many; the last one then reports that. */
  readonly count: number;
}

type DialectOrigin = Pick<MarkedDialect, "name" | "leftovers">;

type TellerOptions = {
  emit: (event: ModelEvent) => void;
  newId: () => string;
  repeated?: FindRepeated | undefined;
};

export function createTeller({ emit, newId, repeated }: TellerOptions): CallEmitter {
  const used = new Set<string>();
  let held: ToolCall[] = [];
  let isDoubtful = false;
  let isReleased = false;
  let shown: string | undefined;
  let count = 0;
  const begin = (name: string, wanted: string | undefined): string => {
    const id = wanted === undefined || wanted === "" || used.has(wanted) ? newId() : wanted;
    used.add(id);
    emit({ type: "call-start", id, name });
    return id;
  };
  return {
    show(name, id) {
      if (count > mostCalls) return;
      shown ??= begin(name, id);
    },
    showArguments(json) {
      if (shown !== undefined && json !== "") emit({ type: "call-delta", id: shown, json });
    },
    tell(read, from, written) {
      if (count > mostCalls) return;
      const { id: own, ...rest } = count < mostCalls ? read : tooMany;
      const isNew = shown === undefined;
      const id = shown ?? begin(rest.name, own);
      shown = undefined;
      if (isNew) emit({ type: "call-delta", id, json: JSON.stringify(rest.input) });
      const call = callOf({ id, source: from.name, ...rest }, written, repeated);
      count += 1;
      // Text after a waiting call could be part of its value, so later calls wait too.
      if (!isReleased && (from.leftovers !== undefined || held.length > 0)) held.push(call);
      else emit({ type: "call-end", call });
    },
    doubt() {
      isDoubtful = true;
    },
    release() {
      isReleased = true;
      for (const call of held)
        emit({
          type: "call-end",
          call: isDoubtful && call.problem === undefined ? { ...call, ...forged } : call,
        });
      held = [];
    },
    get holds() {
      return held.length > 0;
    },
    get held() {
      return held;
    },
    get count() {
      return count;
    },
  };
}

/** The call as it is emitted: with the kind of its problem, or with where it is repeated from. */
function callOf(read: ToolCall, written: string, repeated: FindRepeated | undefined): ToolCall {
  if (read.problem !== undefined) return { ...read, fault: read.fault ?? "malformed_arguments" };
  const repeats = repeated?.(written, read);
  return repeats === undefined ? read : { ...read, repeats };
}

const tooMany: ReadCall = {
  name: namelessCall,
  input: {},
  rawArguments: "",
  problem: `There were more than ${mostCalls} calls in one answer: those behind the first ${mostCalls} were not run. Send them again in the next answer.`,
  fault: "too_many_calls",
};

const forged = {
  input: {},
  problem:
    "A closing tag was left over behind the call, so a value may have ended too early. Nothing was run. Send the call again, and write such tags inside values in another way.",
  fault: "malformed_arguments",
} as const satisfies Partial<ToolCall>;
