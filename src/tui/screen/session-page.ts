/** Another session as a page: all of its rows, also while it still goes on. */

import type { Entry, Signal } from "../../protocol/facts.ts";
import type { RowLayout } from "./block-rows.ts";
import { SessionRows, type SessionRowsSetup } from "./session-rows.ts";

export class SessionPage {
  readonly #setup: SessionRowsSetup;
  readonly #entries: Entry[] = [];
  #rows: SessionRows;
  #columns: number;
  /** Laid out for these columns, and final. */
  #finished: string[] = [];

  constructor(setup: SessionRowsSetup) {
    this.#setup = setup;
    this.#columns = setup.columns();
    this.#rows = this.#laidOut();
  }

  show(event: Entry | Signal): void {
    if ("seq" in event) this.#entries.push(event);
    this.#rows.show(event);
  }

  rows({ columns }: RowLayout): readonly string[] {
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.#finished = [];
      this.#rows = this.#laidOut();
    }
    const { finished, open } = this.#rows.frame();
    this.#finished.push(...finished);
    return [...this.#finished, ...open];
  }

  #laidOut(): SessionRows {
    const columns = this.#columns;
    const rows = new SessionRows({
      ...this.#setup,
      promptMarks: undefined,
      columns: () => columns,
      isPage: true,
    });
    for (const entry of this.#entries) rows.show(entry);
    return rows;
  }
}
