import { expect, test } from "vitest";
import { inFlags } from "./flag-words.ts";

test("an option that a problem names is named by its flag where people type flags", () => {
  expect(inFlags('Choose another with the option "stateDir", or leave the option "gitBranch" out.')).toBe(
    "Choose another with --state-dir, or leave --branch out.",
  );
  expect(inFlags('The option "tools": there is no tool "x"')).toBe('--tools: there is no tool "x"');
});

test("other quoted words, and options that are none, stay as they are", () => {
  for (const text of ['the option "nosuch"', 'the model "model"', "plain"]) expect(inFlags(text)).toBe(text);
});
