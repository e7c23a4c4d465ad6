/** Escape leaves what it is pressed in, and nothing more. */

export function leaveBy(event: KeyboardEvent, back: () => void): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  event.preventDefault();
  back();
}
