/** The choice of theme: light, dark, or the system's. */

import type { Theme } from "../contract.ts";
import { setTheme, theme } from "./theme.ts";

const choices: readonly { value: Theme; name: string }[] = [
  { value: "system", name: "System" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
];

export const ThemeChoice = () => (
  <fieldset class="settings-group">
    <legend>Theme</legend>
    <div class="theme-choices">
      {choices.map(({ value, name }) => (
        <label key={value} class="question-choice">
          <input type="radio" name="theme" checked={theme.value === value} onChange={() => setTheme(value)} />
          <span>{name}</span>
        </label>
      ))}
    </div>
  </fieldset>
);
