/** Normalizes the names of commands, skills and agents from files, so that people can type them. */

/** The name as typed after a slash: anything but letters, digits and `_ . : -` becomes a hyphen. */
export const callableName = (written: string): string =>
  written.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-");
