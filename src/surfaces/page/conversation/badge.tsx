/** Lines added and removed. */
import type { Badge as Lines } from "../../view/blocks.ts";

export const Badge = ({ badge: { added, removed } }: { badge: Lines }) => (
  <span class="lines-changed">
    <span class="badge-added">+{added}</span> <span class="badge-removed">−{removed}</span>
    <span class="visually-hidden">
      {" "}
      lines ({added} added, {removed} removed)
    </span>
  </span>
);
