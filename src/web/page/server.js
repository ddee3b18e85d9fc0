// The connection to the server, or to the worker in its place: it sends numbered requests and receives their answers. A
// lost connection is opened again, unless the server was full.

import { openChannel } from "./channel.js";

// Milliseconds before the connection is opened again: first, and at most after doubling.
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

export function createServer() {
  const waiting = new Map();
  let handlers = null;
  let channel = null;
  let isFull = false;
  let lastId = 0;
  let pause = FIRST_PAUSE;

  // Sends a request. `report` receives what a search reports before its answer, and how far it is in between. The answer
  // has the kind "given-up" if another request ended this one.
  function ask(what, fields = {}, report = null) {
    return new Promise((resolve, reject) => {
      if (!channel?.isOpen()) {
        reject(new Error("closed"));
        return;
      }
      const id = ++lastId;
      waiting.set(id, { resolve, reject, report });
      channel.send(JSON.stringify({ id, do: what, ...fields }));
    });
  }

  function open() {
    channel = openChannel({
      opened: () => ask("hello").then(opened, () => {}),
      received: (line) => receive(JSON.parse(line)),
      closed: close,
    });
  }

  function opened(hello) {
    pause = FIRST_PAUSE;
    handlers.opened(hello);
  }

  function close() {
    for (const { reject } of waiting.values()) reject(new Error("closed"));
    waiting.clear();
    handlers.closed(isFull);
    if (isFull) return;
    setTimeout(open, pause);
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  }

  function receive(message) {
    if (message.kind === "full") isFull = true;
    const request = waiting.get(message.id);
    if (!request) {
      if (message.kind === "error") handlers.failed(message.error);
    } else if (message.kind === "info" || message.kind === "tick") {
      request.report?.(message);
    } else {
      waiting.delete(message.id);
      const isError = message.kind === "error" || message.kind === "failed";
      if (isError) request.reject(Object.assign(new Error(message.error), message));
      else request.resolve(message);
    }
  }

  return {
    ask,
    // Opens the connection. `handlers`: opened(hello), closed(isFull), failed(text).
    connect(given) {
      handlers = given;
      open();
    },
  };
}
