/** The line that reports a lost connection and the time of the next attempt. */

import { useEffect, useState } from "preact/hooks";
import { useClock } from "../conversation/clock.ts";
import { Icon } from "../icon.tsx";
import type { App } from "./app-state.ts";

/** A connection restored within this time is not reported as lost. */
const quickMs = 700;

export function LinkLine({ app }: { app: App }) {
  const link = app.link.value;
  const isAway = link.type === "waiting" || link.type === "connecting";
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isAway) return undefined;
    const timer = setTimeout(() => setLong(true), quickMs);
    return () => clearTimeout(timer);
  }, [isAway]);
  const now = useClock(link.type === "waiting").value;
  if (!isAway || !isLong) return null;
  const seconds = link.type === "waiting" ? Math.max(0, Math.ceil((link.until - now) / 1000)) : 0;
  return (
    <div class="link-line" role="status">
      <Icon name="warning" />
      <span>
        {link.type === "waiting" && link.because !== ""
          ? `${link.because} `
          : "The gateway cannot be reached. "}
        {seconds > 0 ? `Trying again in ${seconds} s.` : "Connecting…"} What you write is kept.
      </span>
      <button type="button" class="button quiet" onClick={() => app.gateway.live.retry()}>
        Try now
      </button>
    </div>
  );
}
