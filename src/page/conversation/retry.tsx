/** Reports that the provider is about to be asked again. */

import type { RetryBlock } from "../../view/blocks.ts";
import { visibleLine } from "../../view/visible.ts";
import { Icon } from "../icon.tsx";
import { useClock } from "./clock.ts";
import { duration } from "./words.ts";

export function Retry({ block: { because, at, waitMs, attempt } }: { block: RetryBlock }) {
  const now = useClock(true).value;
  const left = Math.max(0, at + waitMs - now);
  return (
    <p class="line line-warn">
      <Icon name="clock" />
      <span>
        {visibleLine(because)}{" "}
        {left > 0 ? `Asking again in ${duration(Math.ceil(left / 1000) * 1000)}` : "Asking again now"}{" "}
        (attempt {attempt}).
      </span>
    </p>
  );
}
