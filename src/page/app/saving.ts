/** Saves content as a file on the user's computer. */

export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser must have started to read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
