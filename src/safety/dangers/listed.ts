/** Builds lists of names from multi-line strings. */

export const namesIn = (text: string): string[] => text.match(/\S+/gu) ?? [];
