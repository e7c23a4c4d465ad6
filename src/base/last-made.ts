/** Keeps what was made last, for what is asked for again and again with the same input. */

/** `made` with the same input, by its JSON, is made once. */
export function lastMade<Input, Made>(make: (input: Input) => Made): (input: Input) => Made {
  let last: { key: string; made: Made } | undefined;
  return (input) => {
    const key = JSON.stringify(input);
    if (last?.key !== key) last = { key, made: make(input) };
    return last.made;
  };
}
