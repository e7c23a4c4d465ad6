/** Keeps what was made, for what is asked for again and again with the same input. */

/** `made` with the same input, by its JSON, is made once. */
export function lastMade<Input, Made>(make: (input: Input) => Made): (input: Input) => Made {
  let last: { key: string; made: Made } | undefined;
  return (input) => {
    const key = JSON.stringify(input);
    if (last?.key !== key) last = { key, made: make(input) };
    return last.made;
  };
}

/** `made` for the same names is made once; beyond `most` of them all are made anew. Only the last may hold a NUL. */
export function madeOnce<Names extends readonly string[], Made>(
  most: number,
  make: (...names: Names) => Made,
): (...names: Names) => Made {
  const known = new Map<string, { made: Made }>();
  return (...names) => {
    const key = names.join("\0");
    const before = known.get(key);
    if (before) return before.made;
    const made = make(...names);
    if (known.size >= most) known.clear();
    known.set(key, { made });
    return made;
  };
}
