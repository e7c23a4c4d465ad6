/**
 * The page's icons, drawn as lines on a 24 × 24 grid. They are decorative: the surrounding element must supply a label.
 */

const paths = {
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5.5 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1zM12 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1zM18.5 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  attach:
    "M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700l-8.500 8.500a1.700 1.700 0 0 1-2.400-2.400L14.500 7",
  read: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  change: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  execute: "M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M13 15h4",
  delegate: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 20c0-4 2.5-7 5.5-7s5.5 3 5.5 7M16 8h5M18.5 5.5v5",
  tool: "M14.5 6.5a4 4 0 0 0-5.2 5L4 17l3 3 5.500-5.300a4 4 0 0 0 5-5.200L15 12l-3-3z",
  check: "M5 13l4 4L19 7",
  cross: "M7 7l10 10M17 7L7 17",
  chevron: "M9 6l6 6-6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  warning: "M12 4L2.500 20h19zM12 10v4M12 17h.01",
  think: "M9 18h6M10 21h4M8 14.500a6 6 0 1 1 8 0c-.7.700-1 1.500-1 2.500H9c0-1-.3-1.800-1-2.500z",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  redo: "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h3",
  queue: "M4 6h12M4 12h12M4 18h7M18 15v6M15 18h6",
  fork: "M7 4v8a4 4 0 0 0 4 4h6M7 4v16M14 13l3 3-3 3",
  panel: "M4 5h16v14H4zM15 5v14",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  share:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.500 19c0-3.500 2.500-6 5.500-6s5.500 2.500 5.500 6M14 9l6-3M14 12l6 3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  pen: "M4 20l1-4L16 5l3 3L8 19z",
  info: "M12 11v6M12 7.500h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  limit: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM6 6l12 12",
  keyboard: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
