/** Which key answers a card, and when: never while the user types, holds a key down or uses a shortcut. */

type CardKeyPress = {
  key: string;
  repeat: boolean;
  isComposing: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  target: unknown;
};

export function cardKey(event: CardKeyPress): "y" | "n" | "e" | undefined {
  const key = event.key.toLowerCase();
  return counts(event) && (key === "y" || key === "n" || key === "e") ? key : undefined;
}

/** Which choice a digit stands for, from 0 on. */
export const choiceKey = (event: CardKeyPress): number | undefined =>
  counts(event) && /^[1-9]$/u.test(event.key) ? Number(event.key) - 1 : undefined;

const counts = ({ repeat, isComposing, ctrlKey, altKey, metaKey, target }: CardKeyPress): boolean =>
  !(repeat || isComposing || ctrlKey || altKey || metaKey || takesText(target));

function takesText(target: unknown): boolean {
  if (typeof target !== "object" || target === null) return false;
  if ("isContentEditable" in target && target.isContentEditable === true) return true;
  const name = "tagName" in target ? String(target.tagName).toLowerCase() : "";
  if (name === "input" && "type" in target && target.type === "checkbox") return false;
  return ["input", "textarea", "select"].includes(name);
}
