/** Renders Markdown, also while it is still being written. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { type MarkdownView, markdownView } from "./markdown-view.ts";
import "./markdown.css";

export function Markdown({ text, isOpen }: { text: string; isOpen: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView>(undefined);
  useLayoutEffect(() => {
    if (place.current) view.current ??= markdownView(place.current);
    view.current?.show(text, isOpen);
  }, [text, isOpen]);
  useLayoutEffect(() => () => view.current?.stop(), []);
  return <div class="prose" ref={place} />;
}
