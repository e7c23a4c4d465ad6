/** Long lists of names, written as one text. */

export const namesIn = (text: string): string[] => text.trim().split(/\s+/u);
