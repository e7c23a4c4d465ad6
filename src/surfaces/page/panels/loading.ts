/** Something that is read from the gateway when it is looked at. */

import { useSignal } from "@preact/signals";
import type { Expected } from "../../../base/expected.ts";

type Loading<Value> = {
  value: Value | undefined;
  problem: string | undefined;
  isLoading: boolean;
  load: () => void;
};

/** The last answer stands until the next one has come; an answer that was overtaken by another is not shown. */
export function useLoading<Value>(read: () => Promise<Expected<Value>>): Loading<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const asked = useSignal(0);
  const answered = useSignal(0);
  const load = async (): Promise<void> => {
    const mine = asked.peek() + 1;
    asked.value = mine;
    const parsed = await read();
    if (mine !== asked.peek()) return;
    answered.value = mine;
    problem.value = parsed.ok ? undefined : parsed.problem;
    if (parsed.ok) value.value = parsed.value;
  };
  return {
    value: value.value,
    problem: problem.value,
    isLoading: asked.value !== answered.value,
    load: () => void load(),
  };
}
