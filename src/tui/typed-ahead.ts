/** What was typed before the program listened key by key. */

const lineFeed = /\n/gu;
const nul = /\0/gu; // eslint-disable-line no-control-regex
/**
 * Until then a terminal reads whole lines: it has made a line feed of Enter, and of Ctrl-D the end of the input, of which
 * a NUL is left for whoever reads key by key. Changes the first chunk back, if it was there already: then it is read
 * before the event loop has gone round, however long that takes.
 */
export function typedAhead(): (chunk: Buffer | string) => Buffer | string {
  let mayBeAhead = true;
  const over = (): void => void (mayBeAhead = false);
  setImmediate(() => setImmediate(over)); // the first may come before the loop looks at the terminal
  return (chunk) => {
    if (!mayBeAhead) return chunk;
    over();
    return typeof chunk === "string"
      ? asKeys(chunk)
      : Buffer.from(asKeys(chunk.toString("latin1")), "latin1");
  };
}

/** What has an Enter was not read as lines. */
const asKeys = (typed: string): string =>
  typed.includes("\r") ? typed : typed.replace(lineFeed, "\r").replace(nul, "\u0004");
