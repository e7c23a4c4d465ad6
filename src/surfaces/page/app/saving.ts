/** Saves something as a file of the person who looks at the page. */

export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has to have begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
