/** What happens in sessions, told to the other processes of a PostgreSQL store as it happens. */

import type { Signal } from "../../protocol/facts.ts";
import type { SessionNews, SessionNotice } from "../store.ts";
import { Notices } from "./notices.ts";
import type { ServerLink } from "./server-link.ts";

/** Characters of a piece of text: six bytes each, at most, must fit into one notice. */
const mostPieceText = 1_200;

export class StoredNews implements SessionNews {
  readonly #notices: Notices<SessionNotice>;

  constructor(link: ServerLink) {
    this.#notices = new Notices(link, "toolwright_news");
  }

  tell(session: string, after: number, signal: Signal): void {
    for (const piece of piecesOf(signal)) this.#notices.tell({ session, after, signal: piece });
  }

  /** New facts of this process, up to this one. */
  tellFacts(session: string, last: number): void {
    this.#notices.tell({ session, after: last });
  }

  hear(listener: (notice?: SessionNotice) => void): () => void {
    return this.#notices.hear(listener);
  }

  close(): Promise<void> {
    return this.#notices.close();
  }
}

function piecesOf(signal: Signal): Signal[] {
  if (!("text" in signal) || signal.text.length <= mostPieceText) return [signal];
  const { offset, text } = signal;
  return Array.from({ length: Math.ceil(text.length / mostPieceText) }, (_, at) => {
    const from = at * mostPieceText;
    return { ...signal, offset: offset + from, text: text.slice(from, from + mostPieceText) };
  });
}
