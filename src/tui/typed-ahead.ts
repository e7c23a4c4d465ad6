/** What was typed before the program listened key by key. */

const lineFeed = /\n/gu;
const nul = /\0/gu; // eslint-disable-line no-control-regex
/** What was there already is read at once; a busy machine may take its time. */
const soonMs = 500;

/**
 * Until then a terminal reads whole lines: it has made a line feed of Enter, and of Ctrl-D the end of the input, of which
 * a NUL is left for whoever reads key by key. Changes the first chunk back, if it comes soon.
 */
export function typedAhead(
  now: () => number = () => performance.now(),
): (chunk: Buffer | string) => Buffer | string {
  const until = now() + soonMs;
  let isFirst = true;
  return (chunk) => {
    const isAhead = isFirst && now() < until;
    isFirst = false;
    if (!isAhead) return chunk;
    return typeof chunk === "string"
      ? asKeys(chunk)
      : Buffer.from(asKeys(chunk.toString("latin1")), "latin1");
  };
}

/** What has an Enter was not read as lines. */
const asKeys = (typed: string): string =>
  typed.includes("\r") ? typed : typed.replace(lineFeed, "\r").replace(nul, "\u0004");
