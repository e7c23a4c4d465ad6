/** Text that others have written, without what people do not see in it and what only misleads. */

/** What Unicode itself says that is not to be shown; what joins letters and chooses between text and emoji stays. */
const hidden =
  /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\u{fe0e}-\u{fe0f}\u{200c}-\u{200d}\t\n]]/gv;

/**
 * Without control characters, marks of direction and invisible letters; line ends are "\n". What joins letters stays.
 */
export const visible = (text: string): string => text.replaceAll(/\r\n?/gu, "\n").replaceAll(hidden, "");
