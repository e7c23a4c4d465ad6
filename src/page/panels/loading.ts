/** Loads data from the gateway when a component needs it. */

import { useSignal } from "@preact/signals";
import type { Expected } from "../../base/expected.ts";

type LoadingState<Value> = {
  value: Value | undefined;
  problem: string | undefined;
  isLoading: boolean;
  load: () => void;
};

/** The last answer stays until the next one arrives; outdated answers are discarded. */
export function useLoading<Value>(read: () => Promise<Expected<Value>>): LoadingState<Value> {
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
