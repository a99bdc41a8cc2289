// The compiler, beside the page.

import { answers, type Answers } from "./answers.js";
import type { Asked, Reply } from "./client.js";

function answered({ id, method, args }: Asked): Reply {
  try {
    // The types of a method and of what it is given go together: the client has seen to it
    const answer: (args: never) => unknown = answers[method];
    return { id, value: answer(args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

export type { Answers };

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  self.postMessage(answered(data));
};
self.postMessage({ id: -1, value: null });
