/** Copies code when its button is pressed. */

const saidMs = 1_500;

export function copyOnClick({ target }: Event): void {
  const button = target instanceof Element ? target.closest(".code-copy") : null;
  if (button) void copyCode(button);
}

async function copyCode(button: Element): Promise<void> {
  const text = button.closest(".code")?.querySelector("code")?.textContent ?? "";
  button.textContent = (await copied(text.replace(/\n$/u, ""))) ? "Copied" : "Not allowed";
  setTimeout(() => {
    button.textContent = "Copy";
  }, saidMs);
}

/** Only a page from a safe address may do that. */
async function copied(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
