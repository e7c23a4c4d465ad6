/** The models that are known here, kept from one start of VS Code to the next: listing them starts nothing. */

import * as vscode from "vscode";
import { isObject } from "../../../../../src/base/json.ts";
import {
  type LmServerPlace,
  type ModelLimits,
  modelLimits,
} from "../../common/language-model/lm-server-client.ts";
import {
  modelNames,
  type ModelRow,
  modelRow,
  type ReachableModels,
} from "../../common/language-model/model-rows.ts";

const namesKey = "languageModels.names";
const limitsKey = "languageModels.limits";
/** Models whose window is asked for at a time: each may have a server to be asked. */
const mostAsked = 40;
/** For all of them together, in milliseconds. */
const limitsMs = 3_000;

export class ModelDirectory {
  readonly #kept: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(kept: vscode.Memento) {
    this.#kept = kept;
  }

  names(): string[] {
    const kept: unknown = this.#kept.get(namesKey);
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  }

  rows(): ModelRow[] {
    return this.names().map((name) => modelRow(name, this.#limits()[name]));
  }

  async learnNames(models: ReachableModels): Promise<void> {
    const names = modelNames(models);
    if (JSON.stringify(names) === JSON.stringify(this.names())) return;
    await this.#kept.update(namesKey, names);
    this.#changed.fire();
  }

  /** Asks for the windows that are not known yet. */
  async learnLimits(place: LmServerPlace): Promise<void> {
    const known = this.#limits();
    const unknown = this.names().filter((name) => known[name] === undefined);
    const signal = AbortSignal.timeout(limitsMs);
    const learnt = await Promise.all(
      unknown.slice(0, mostAsked).map(async (name): Promise<[string, ModelLimits][]> => {
        const limits = await modelLimits(place, name, signal).catch(() => undefined);
        return limits === undefined ? [] : [[name, limits]];
      }),
    );
    if (learnt.flat().length === 0) return;
    await this.#kept.update(limitsKey, { ...known, ...Object.fromEntries(learnt.flat()) });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #limits(): Record<string, ModelLimits> {
    const kept: unknown = this.#kept.get(limitsKey);
    if (!isObject(kept)) return {};
    return Object.fromEntries(
      Object.entries(kept).flatMap(([name, limits]) => (isLimits(limits) ? [[name, limits]] : [])),
    );
  }
}

const isLimits = (value: unknown): value is ModelLimits =>
  isObject(value) &&
  typeof value["sees"] === "boolean" &&
  (value["tokens"] === undefined || typeof value["tokens"] === "number");
