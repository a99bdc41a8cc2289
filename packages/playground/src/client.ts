// Workers that answer, and that are stopped where they take too long: the page never waits for them.

import type { Answers } from "./answers.js";

export interface Asked {
  readonly id: number;
  readonly method: keyof Answers;
  readonly args: never;
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** Nobody wants the answer any more. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** What was asked took too long, and has been stopped. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly begin: () => void;
  timer: ReturnType<typeof setTimeout> | null;
}

/** A worker, started when it is asked first, and again after it was stopped. It answers in order; each answer has `limit` milliseconds. */
export class Client {
  readonly #limit: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #isReady = false;
  #next = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts the worker, so that it has loaded before it is asked. */
  start(): void {
    if (this.#worker !== null) return;
    this.#isReady = false;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      this.#settle(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new Error(event.message === "" ? "the compiler could not be loaded" : event.message));
    };
    this.#worker = worker;
  }

  ask<M extends keyof Answers>(method: M, args: Parameters<Answers[M]>[0]): Promise<ReturnType<Answers[M]>> {
    this.start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        this.#worker?.postMessage({ id, method, args });
      };
      this.#waiting.set(id, { resolve, reject, begin, timer: null });
      if (this.#waiting.size === 1 && this.#isReady) this.#begin();
    });
  }

  /** Gives up what is being worked on, and all that waits. */
  stop(): void {
    this.#end(new Superseded("superseded"));
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** The first that waits has its turn. */
  #begin(): void {
    const [first] = this.#waiting.values();
    if (first === undefined) return;
    first.timer = setTimeout(() => {
      this.#end(new Stopped(`Stopped: it took longer than ${this.#limit / 1000} seconds.`));
    }, this.#limit);
    first.begin();
  }

  #settle(reply: Reply): void {
    if (reply.id === -1) {
      this.#isReady = true;
      this.#begin();
      return;
    }
    const found = this.#waiting.get(reply.id);
    if (found === undefined) return;
    this.#waiting.delete(reply.id);
    if (found.timer !== null) clearTimeout(found.timer);
    if ("error" in reply) found.reject(new Error(reply.error));
    // Of the type of the method's result: the worker has called it
    else Reflect.apply(found.resolve, undefined, [reply.value]);
    this.#begin();
  }

  #end(error: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of all) {
      if (timer !== null) clearTimeout(timer);
      reject(error);
    }
    if (!(error instanceof Superseded && all.length === 0)) this.start();
  }
}
