/** What went wrong and what to do next are two texts, told apart until a person reads them. */

/** Both in one line. What stands alone needs no full stop; with advice behind it, it does. */
export function withAdvice(what: string, advice: string | undefined): string {
  if (advice === undefined) return what;
  return `${/[.!?)"”]$/u.test(what) ? what : `${what}.`} ${advice}`;
}
