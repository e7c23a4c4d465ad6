/** Pictures that are pasted, dropped or picked. */
import { useState } from "preact/hooks";
import { bounds } from "../../../base/bounds.ts";
import type { ImagePart } from "../../../protocol/messages.ts";
import { pictureOf } from "./images.ts";

export function usePictures(add: (images: ImagePart[]) => void, tell: (problem: string) => void) {
  const [isOver, setOver] = useState(false);
  const take = async (files: readonly File[], has: number): Promise<void> => {
    const room = bounds.page.messageImages.most - has;
    const read = await Promise.all(files.slice(0, Math.max(0, room)).map(pictureOf));
    add(read.flatMap((picture) => (picture.ok ? [picture.value] : [])));
    const problems = read.flatMap((picture) => (picture.ok ? [] : [picture.problem]));
    if (files.length > room)
      problems.push(`A message takes ${bounds.page.messageImages.most} pictures at most.`);
    tell(problems.join(" "));
  };
  return {
    isOver,
    paste: (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void take(files, countIn(event));
    },
    pick: (event: Event): void => {
      const { target } = event;
      if (!(target instanceof HTMLInputElement)) return;
      const files = [...(target.files ?? [])];
      target.value = "";
      void take(files, countIn(event));
    },
    dropping: {
      onDragOver: (event: DragEvent): void => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent): void => {
        const files = [...(event.dataTransfer?.files ?? [])];
        setOver(false);
        if (files.length === 0) return;
        event.preventDefault();
        void take(files, countIn(event));
      },
    },
  };
}

/** How many the message has already. */
const countIn = ({ target }: Event): number =>
  target instanceof Element
    ? (target.closest("form")?.querySelectorAll(".composer-pictures li").length ?? 0)
    : 0;
