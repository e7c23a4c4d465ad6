/** VS Code's side of a webview. */

/** Given by VS Code to each webview, once. */
declare function acquireVsCodeApi(): WebviewHost;

export type WebviewHost = { postMessage: (message: unknown) => void };

export const viewHost = (): WebviewHost => acquireVsCodeApi();
