/** Applies the theme: the system's, unless the user has chosen one. */

import { signal } from "@preact/signals";
import type { Theme } from "../contract.ts";

const key = "toolwright-theme";
const themes: readonly Theme[] = ["system", "light", "dark"];

export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(key)) ?? "system");

export function setTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(key, next);
  showTheme();
}

export function showTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
}
