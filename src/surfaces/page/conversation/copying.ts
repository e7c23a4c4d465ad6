/** Copies code when its button is pressed. */

const saidMs = 1_500;

export function copyOnClick({ target }: Event): void {
  const button = target instanceof Element ? target.closest(".code-copy") : null;
  const text = button?.closest(".code")?.querySelector("code")?.textContent;
  if (!button || text === undefined || text === null) return;
  void copied(text.replace(/\n$/u, "")).then((isCopied) => {
    button.textContent = isCopied ? "Copied" : "Not allowed";
    setTimeout(() => {
      button.textContent = "Copy";
    }, saidMs);
  });
}

const copied = (text: string): Promise<boolean> =>
  // Only a page from a safe address may do that.
  Promise.resolve(globalThis.navigator.clipboard?.writeText(text)).then(
    () => "clipboard" in navigator,
    () => false,
  );
