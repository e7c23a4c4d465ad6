/** Lists of names, written as one text over as many lines as it takes. */

export const namesIn = (text: string): string[] => text.match(/\S+/gu) ?? [];
