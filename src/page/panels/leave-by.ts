/** Makes Escape leave only the element in which it is pressed. */

export function leaveBy(event: KeyboardEvent, back: () => void): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  event.preventDefault();
  back();
}
