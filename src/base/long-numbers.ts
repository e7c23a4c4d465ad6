/** Detects JSON numbers that a double cannot hold: JavaScript would read different values. */

/** Whether parsing this JSON text and writing it again changes a number. */
export function losesDigits(json: string): boolean {
  if (!mayBeLong.test(json)) return false;
  for (const [token] of json.matchAll(textOrNumber))
    if (!token.startsWith('"') && plain(token) !== plain(String(Number(token)))) return true;
  return false;
}

/** A double preserves any 15 significant digits. */
const mayBeLong = /[\d.]{16}|\d[eE]/;
const textOrNumber = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** Normal form: equal for two numbers exactly if they have the same value, however they are written. */
function plain(number: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === "" ? "0" : `${sign}${significant}e${power}`;
}
