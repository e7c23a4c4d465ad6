/** Copies code when its button is pressed. */

const saidMs = 1_500;

export function copyOnClick({ target }: Event): void {
  const button = target instanceof Element ? target.closest(".code-copy") : null;
  if (button) void copyCode(button);
}

async function copyCode(button: Element): Promise<void> {
  const text = button.closest(".code")?.querySelector("code")?.textContent ?? "";
  button.textContent = (await copyText(text.replace(/\n$/u, ""))) ? "Copied" : "Not allowed";
  setTimeout(() => {
    button.textContent = "Copy";
  }, saidMs);
}

async function copyText(text: string): Promise<boolean> {
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
