/** The styles of a session as one page: light or dark as the reader's system is set, and on paper. */

export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf8, #191a1c); --surface: light-dark(#f3f1ed, #202224);
  --raised: light-dark(#fff, #26282b); --text: light-dark(#1f1e1b, #e8e6e1);
  --quiet: light-dark(#66625a, #a5a29a); --line: light-dark(#e2ded6, #34373a);
  --accent: light-dark(#3556c4, #9db2ff); --good: light-dark(#1c6b3c, #84d1a0);
  --warn: light-dark(#8a5300, #eebb6a); --bad: light-dark(#b02a2a, #ff9d94);
  --added: light-dark(#e2f3e7, #1d3526); --removed: light-dark(#fbe6e4, #432624);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 40px 20px 80px; background: var(--ground); color: var(--text);
  font: 15px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif;
}
main { max-width: 54rem; margin: 0 auto; }
h1 { margin: 0 0 16px; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.1rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0; }
a { color: var(--accent); }
code, pre, .mono { font-family: var(--mono); font-size: 0.87em; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 0 24px; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.overview { width: 100%; border-collapse: collapse; margin-bottom: 40px; font-size: 0.9em; }
.overview th { color: var(--quiet); font-weight: 500; text-align: start; }
.overview :is(th, td) { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.overview td { overflow-wrap: anywhere; }
.overview :is(th, td).figure { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.overview tfoot td { border-bottom: 0; font-weight: 600; }
.request { margin-top: 44px; padding-top: 20px; border-top: 1px solid var(--line); }
.request > * + *, .step > * + * { margin-top: 14px; }
.meta, .note { color: var(--quiet); font-size: 0.87em; overflow-wrap: anywhere; }
.said {
  padding: 12px 16px; border-inline-start: 3px solid var(--accent); border-radius: 6px; background: var(--raised);
  white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext;
}
.answer { overflow-wrap: anywhere; }
.answer > * { margin: 0; unicode-bidi: plaintext; }
.answer > * + * { margin-top: 0.8em; }
.answer :is(h1, h2, h3, h4, h5, h6) { font-size: 1.05rem; line-height: 1.3; }
.answer :is(ul, ol) { padding-inline-start: 1.5em; }
.answer li.task { list-style: none; }
.answer blockquote { padding-inline-start: 1em; border-inline-start: 3px solid var(--line); color: var(--quiet); }
.answer hr { border: 0; border-top: 1px solid var(--line); }
.answer :not(pre) > code { padding: 0.1em 0.35em; border-radius: 5px; background: var(--surface); }
.answer table { border-collapse: collapse; }
.answer :is(th, td) { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.answer .table { overflow-x: auto; }
.code, .box { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); overflow: hidden; }
.code-copy, .code-head { display: none; }
.code pre, .box pre { padding: 10px 14px; }
.call { padding-inline-start: 14px; border-inline-start: 2px solid var(--line); }
.call > * + * { margin-top: 6px; }
.call summary, details.box summary { cursor: pointer; color: var(--quiet); font-size: 0.87em; }
details.box summary { padding: 8px 14px; }
.title { font-weight: 600; overflow-wrap: anywhere; }
.badge { font-size: 0.87em; font-weight: 500; white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .quiet { color: var(--quiet); }
.diff { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--raised); }
.diff > summary { padding: 8px 14px; cursor: pointer; background: var(--surface); overflow-wrap: anywhere; }
.rows { display: block; padding: 0; font-family: var(--mono); font-size: 0.82rem; line-height: 1.5; }
.row { display: block; padding: 0 14px; min-height: 1.5em; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.row.add { background: var(--added); } .row.del { background: var(--removed); }
.row.hunk { color: var(--quiet); background: var(--surface); }
.ending { padding: 10px 14px; border-radius: 8px; background: var(--surface); font-size: 0.9em; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { padding: 20px 14px 60px; }
  .overview :is(th, td).figure:nth-child(4) { display: none; }
}
@media print {
  body { padding: 0; background: #fff; }
  .request { break-before: auto; }
  details > summary { list-style: none; }
}
`;
