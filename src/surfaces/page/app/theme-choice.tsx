/** Light, dark, or as the system is. */
import type { Theme } from "../contract.ts";
import { setTheme, theme } from "./theme.ts";

const choices: readonly { value: Theme; name: string }[] = [
  { value: "system", name: "As the system" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
];

export const ThemeChoice = () => (
  <fieldset class="theme-choice">
    <legend>Appearance</legend>
    {choices.map(({ value, name }) => (
      <label key={value}>
        <input type="radio" name="theme" checked={theme.value === value} onChange={() => setTheme(value)} />
        {name}
      </label>
    ))}
  </fieldset>
);
