/** A card may appear where the user was about to click, so its answers are inactive at first. */

import { useEffect, useState } from "preact/hooks";

const restMs = 400;

export function useRest(): boolean {
  const [rests, setRests] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setRests(false), restMs);
    return () => clearTimeout(timer);
  }, []);
  return rests;
}
