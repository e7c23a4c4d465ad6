/** Names that people call: of commands, skills and agents in files. */

/** As it can be typed after a slash: what is neither a letter, a digit nor one of `_ . : -` becomes a hyphen. */
export const callableName = (written: string): string =>
  written.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-");
