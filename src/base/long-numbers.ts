/** Detects JSON numbers that a double cannot hold: JavaScript would read different values. */

/** Whether parsing this JSON text and writing it again changes a number. */
export function losesDigits(json: string): boolean {
  if (!mayBeLong.test(json)) return false;
  for (const text of betweenStrings(json))
    for (const [number] of text.matchAll(numbers))
      if (plain(number) !== plain(String(Number(number)))) return true;
  return false;
}

/** A double preserves any 15 significant digits. */
const mayBeLong = /[\d.]{16}|\d[eE]/;
const numbers = /-?\d[\d.eE+-]*/g;

/** Not by one pattern: for a string with millions of escapes that would exhaust the stack. */
function* betweenStrings(json: string): Generator<string> {
  let start = 0;
  for (let open = json.indexOf('"'); open !== -1; open = json.indexOf('"', start)) {
    yield json.slice(start, open);
    start = endOfString(json, open);
  }
  yield json.slice(start);
}

function endOfString(json: string, open: number): number {
  let close = json.indexOf('"', open + 1);
  while (isEscaped(json, close)) close = json.indexOf('"', close + 1);
  return close === -1 ? json.length : close + 1;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}

/** Normal form: equal for two numbers exactly if they have the same value, however they are written. */
function plain(number: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutZerosAtEnd(digits);
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === "" ? "0" : `${sign}${significant}e${power}`;
}

/** Not by a pattern: `0+$` takes quadratic time if a long run of zeros is not at the end. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
