/** The document of the chat view: it loads only our own script and style, by a nonce, and reaches no other place. */

type ViewParts = {
  /** Where the view may load files from. */
  source: string;
  script: string;
  style: string;
  nonce: string;
  /** The folder that new sessions work in. */
  workspace: string;
};

export function viewHtml({ source, script, style, nonce, workspace }: ViewParts): string {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `img-src ${source} data: blob:`,
    `font-src ${source}`,
  ].join("; ");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <title>Toolwright</title>
    <link rel="stylesheet" href="${escaped(style)}" />
  </head>
  <body>
    <div id="page" data-workspace="${escaped(workspace)}"></div>
    <script type="module" nonce="${nonce}" src="${escaped(script)}"></script>
  </body>
</html>
`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
