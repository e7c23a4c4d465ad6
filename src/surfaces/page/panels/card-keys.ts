/** Which key answers a card, and when: never while the user types, holds a key down or uses a shortcut. */

type Pressed = {
  key: string;
  repeat: boolean;
  isComposing: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  target: unknown;
};

export function cardKey(event: Pressed): "y" | "n" | "e" | undefined {
  if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  if (takesText(event.target)) return undefined;
  const key = event.key.toLowerCase();
  return key === "y" || key === "n" || key === "e" ? key : undefined;
}

function takesText(target: unknown): boolean {
  if (typeof target !== "object" || target === null) return false;
  if ("isContentEditable" in target && target.isContentEditable === true) return true;
  const name = "tagName" in target ? String(target.tagName).toLowerCase() : "";
  return ["input", "textarea", "select"].includes(name);
}
