/** A line in which what stands between backticks is code. */

/** A pair of backticks counts only around whole words: in anything else they may be part of a command. */
const pairs = /(?<![^\s(“])`([^`\n]+)`(?![^\s.,;:!?)”])/gu;

export function TextWithCode({ text }: { text: string }) {
  // What the pattern captures stands at every second place.
  return <>{text.split(pairs).map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>;
}
