/** The sign of what goes on, which turns. */

const pictures = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Milliseconds of each. */
const pictureMs = 100;

/** `passed`: milliseconds since it began. */
export const spinnerAt = (passed: number): string =>
  pictures[Math.floor(Math.max(0, passed) / pictureMs) % pictures.length] ?? "●";
