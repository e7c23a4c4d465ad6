/** Makes the ids of sessions. */

/** Sorts by time and can be typed by its last part: "20261121-231502-7f3a91". */
export function newSessionId(now: Date): string {
  const [day = "", time = ""] = now.toISOString().split("T");
  const tail = Math.floor(Math.random() * 2 ** 24); // not a secret; `create` refuses an id that exists
  return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail.toString(16).padStart(6, "0")}`;
}
