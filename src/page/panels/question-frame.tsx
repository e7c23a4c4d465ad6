/** The frame of a question other than an approval: a heading, the text, and the answers or the outcome. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useKeptFocus } from "./kept-focus.ts";
import "./question-card.css";

type QuestionFrameProps = { open: boolean; heading: string; words: string; children: ComponentChildren };

export function QuestionFrame({ open, heading, words, children }: QuestionFrameProps) {
  const id = useId();
  const place = useKeptFocus(open);
  return (
    <section
      ref={place}
      role="group"
      class={`card question-card ${open ? "question-open" : "question-over"}`}
      aria-labelledby={id}
      data-question={open ? "open" : "over"}
    >
      <h2 id={id} tabIndex={-1} class="question-heading">
        {heading}
      </h2>
      <p class="question-words">{words}</p>
      {children}
    </section>
  );
}
