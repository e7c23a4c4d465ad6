/** Text that others have written, without what people do not see in it and what only misleads. */

/* eslint-disable no-control-regex -- control characters are what this is about */
const hidden =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/* eslint-enable no-control-regex */

/**
 * Without control characters, marks of direction and invisible letters; line ends are "\n". What joins letters stays.
 */
export const visible = (text: string): string => text.replaceAll(/\r\n?/gu, "\n").replaceAll(hidden, "");
