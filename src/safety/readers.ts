/** Programs that only read, each with those of its options that do no more: none that writes, runs, follows or never ends. */

/** `short`: the letters after a dash, with a value; `long`: names after two dashes; `operand`: other words, any unless told. */
export type Reader = { short: RegExp; long: RegExp; operand?: RegExp };

/** `flags` are letters without a value; `valued` take the rest of the word, or the next word, for theirs. */
function reader(flags: string, valued = "", long = "", operand?: RegExp): Reader {
  const letters = flags === "" ? "" : `[${flags}]*`;
  const value = valued === "" ? "" : `(?:[${valued}].*)?`;
  return {
    short: new RegExp(`^(?=.)${letters}${value}$`, "su"),
    long: new RegExp(`^(?:${long.replaceAll(" ", "|") || "(?!)"})$`, "u"),
    ...(operand ? { operand } : {}),
  };
}

const anything: Reader = { short: /^/u, long: /^/u };

export const readers: ReadonlyMap<string, Reader> = new Map([
  ["basename", reader("az", "s", "multiple suffix zero")],
  [
    "cat",
    reader(
      "AbeEnstTuv",
      "",
      "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
    ),
  ],
  ["cmp", reader("bls", "in", "print-bytes verbose quiet silent bytes ignore-initial")],
  [
    "cut",
    reader("sz", "bcdf", "bytes characters delimiter fields only-delimited complement output-delimiter"),
  ],
  // A number alone would set the clock.
  ["date", reader("uR", "dI", "date utc universal iso-8601 rfc-3339 rfc-email", /^(?!\d+(?:\.\d+)?$)/u)],
  ["dirname", reader("z", "", "zero")],
  [
    "du",
    reader(
      "abchkmsxS",
      "dt",
      "all apparent-size bytes total human-readable summarize max-depth threshold si",
    ),
  ],
  ["echo", anything],
  ["false", anything],
  ["file", reader("bi", "", "brief mime mime-type mime-encoding")],
  [
    "grep",
    reader(
      "EFGPivwxcolLqsnHhbTZzaIr0-9",
      "emABC",
      "extended-regexp fixed-strings basic-regexp perl-regexp regexp ignore-case no-ignore-case word-regexp " +
        "line-regexp invert-match count color colour files-with-matches files-without-match max-count " +
        "only-matching quiet silent no-messages byte-offset with-filename no-filename label line-number null " +
        "after-context before-context context text recursive include exclude exclude-dir",
    ),
  ],
  ["head", reader("qvz0-9", "nc", "lines bytes quiet silent verbose zero-terminated")],
  [
    "ls",
    reader(
      "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
      "ITw",
      "all almost-all author escape block-size ignore-backups color directory classify file-type format full-time " +
        "group-directories-first no-group human-readable si hide hyperlink indicator-style inode ignore literal " +
        "numeric-uid-gid quote-name quoting-style reverse recursive size sort time time-style width zero",
    ),
  ],
  ["nl", reader("p", "bdfhilnsvw", "body-numbering number-format number-width number-separator")],
  ["pwd", reader("LP")],
  ["stat", reader("ft", "c", "file-system terse format printf")],
  // "-5f" and "+5f" are old words for "follow".
  [
    "tail",
    {
      short: /^(?:\d+|[qvz]*(?:[nc].*)?)$/su,
      long: /^(?:lines|bytes|quiet|silent|verbose|zero-terminated)$/u,
      operand: /^(?!\+.*f)/su,
    },
  ],
  // No brackets: `test -v 'a[$(x)]'` runs x.
  ["test", { short: /^[a-zA-Z]+$/u, long: /(?!)/u, operand: /^[\w./:@%+,=! -]*$/u }],
  ["true", anything],
  ["uname", reader("asnrvmpio")],
  ["wc", reader("clmwL", "", "bytes chars lines words max-line-length total")],
  ["which", reader("a")],
  ["whoami", reader("")],
]);
