/** Joins a problem and the advice on it into one line; both stay separate until a person reads them. */

/** Both in one line. The problem alone takes no full stop; followed by advice, it gets one. */
export function withAdvice(what: string, advice: string | undefined): string {
  if (advice === undefined) return what;
  return `${/[.!?)"”]$/u.test(what) ? what : `${what}.`} ${advice}`;
}
