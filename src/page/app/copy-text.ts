/** Copies a text to the clipboard. */

/** Returns whether the browser has allowed it. */
export async function copyText(text: string): Promise<boolean> {
  // A page loaded without encryption from another machine has no Clipboard API.
  if (!("clipboard" in navigator)) return copyByHand(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function copyByHand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
