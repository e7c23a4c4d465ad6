/** Numbers in JSON that a double cannot hold: whoever reads them with JavaScript gets others. */

/** Whether a number of this JSON text is another one once it was read and is written again. */
export function losesDigits(json: string): boolean {
  if (!mayBeLong.test(json)) return false;
  for (const [token] of json.matchAll(textOrNumber))
    if (!token.startsWith('"') && plain(token) !== plain(String(Number(token)))) return true;
  return false;
}

/** Every double has its 15 first digits right. */
const mayBeLong = /[\d.]{16}|\d[eE]/;
const textOrNumber = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** The same for two numbers exactly if they are the same, however they are written. */
function plain(number: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === "" ? "0" : `${sign}${significant}e${power}`;
}
