/** Pictures and text files that are pasted, picked, or dropped anywhere in the window. */

import { useEffect, useState } from "preact/hooks";
import { pageBounds } from "../bounds.ts";
import type { DraftAttachments } from "./drafts.ts";
import { pictureOf } from "./images.ts";
import { cutWords, isCut, textFileOf } from "./text-files.ts";

export function usePictures(add: (added: DraftAttachments) => void, tell: (problem: string) => void) {
  const [isOver, setOver] = useState(false);
  const take = async (given: readonly File[], has: number): Promise<void> => {
    const { messageImages, messageFiles } = pageBounds;
    const space = Math.max(0, messageImages.most - has);
    const pictures = given.filter(isPicture);
    const others = given.filter((file) => !isPicture(file));
    const images = await Promise.all(pictures.slice(0, space).map(pictureOf));
    const files = await Promise.all(others.slice(0, messageFiles.most).map(textFileOf));
    add({
      images: images.flatMap((picture) => (picture.ok ? [picture.value] : [])),
      files: files.flatMap((file) => (file.ok ? [file.value] : [])),
    });
    const problems = [...images, ...files].flatMap((read) => (read.ok ? [] : [read.problem]));
    if (pictures.length > space) problems.push(`A message takes ${messageImages.most} pictures at most.`);
    if (others.length > messageFiles.most) problems.push(`${messageFiles.most} files can be added at once.`);
    problems.push(...others.slice(0, messageFiles.most).filter(isCut).map(cutWords));
    tell(problems.join(" "));
  };
  useEffect(() => {
    const leaves = new AbortController();
    const listen = (type: "dragover" | "dragleave" | "drop", heard: (event: DragEvent) => void): void =>
      window.addEventListener(type, heard, { signal: leaves.signal });
    listen("dragover", (event) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    listen("dragleave", ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false);
    });
    listen("drop", (event) => {
      if (!bringsFiles(event)) return;
      event.preventDefault(); // otherwise the browser leaves the page for the file
      setOver(false);
      void take([...(event.dataTransfer?.files ?? [])], pictureCount());
    });
    return () => leaves.abort();
  });
  return {
    isOver,
    paste: (event: ClipboardEvent): void => {
      const files = pastedFiles(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      void take(files, pictureCount());
    },
    pick: (event: Event): void => {
      const { target } = event;
      if (!(target instanceof HTMLInputElement)) return;
      const files = [...(target.files ?? [])];
      target.value = "";
      void take(files, pictureCount());
    },
  };
}

const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

/** A very long pasted text becomes a file: it would slow the field down and bury the user's own words. */
function pastedFiles(pasted: DataTransfer | null): File[] {
  const text = pasted?.getData("text/plain") ?? "";
  if (pasted && pasted.files.length > 0) return [...pasted.files];
  return text.length > pageBounds.pastedText.most ? [new File([text], "pasted.txt")] : [];
}

/** SVG is text, and models accept it in no other form. */
const isPicture = ({ type }: File): boolean => type.startsWith("image/") && type !== "image/svg+xml";

/** The number of pictures already attached. */
const pictureCount = (): number => document.querySelectorAll(".composer-pictures li").length;
