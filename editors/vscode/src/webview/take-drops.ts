/** Files dropped on the view from VS Code's own explorer: they come as addresses, not as files. */

const addressTypes = ["application/vnd.code.uri-list", "text/uri-list"];

export function takeDrops(take: (uris: readonly string[]) => void): void {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer && addressesIn(event.dataTransfer.types)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const type = event.dataTransfer ? addressesIn(event.dataTransfer.types) : undefined;
    if (!event.dataTransfer || type === undefined || event.dataTransfer.files.length > 0) return;
    event.preventDefault();
    const lines = event.dataTransfer.getData(type).split(/\r?\n/u);
    take(lines.filter((line) => line !== "" && !line.startsWith("#")));
  });
}

const addressesIn = (types: readonly string[]): string | undefined =>
  addressTypes.find((type) => types.includes(type));
