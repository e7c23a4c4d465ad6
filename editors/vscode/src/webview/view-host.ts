/** VS Code's side of a webview: messages, and a state that survives a reload of the window. */

/** Given by VS Code to each webview, once. */
declare function acquireVsCodeApi(): WebviewHost;

export type WebviewHost = {
  postMessage: (message: unknown) => void;
  getState: () => unknown;
  setState: (state: unknown) => void;
};

export const viewHost = (): WebviewHost => acquireVsCodeApi();
