// The connection to the server: requests with numbers out, their answers in. A lost connection is made anew.
"use strict";

class Link {
  // `handlers`: up(hello), down(), trouble(text).
  constructor(handlers) {
    this.handlers = handlers;
    this.waiting = new Map();
    this.number = 0;
    this.pause = 250;
    this.open();
  }

  open() {
    this.socket = new WebSocket(`ws://${location.host}/session`);
    this.socket.onopen = () => this.ask("hello").then((hello) => {
      this.pause = 250;
      this.handlers.up(hello);
    }, () => {});
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = () => this.closed();
  }

  closed() {
    for (const { reject } of this.waiting.values()) reject(new Error("closed"));
    this.waiting.clear();
    this.handlers.down(this.isFull);
    if (this.isFull) return;
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(4000, this.pause * 2);
  }

  receive(message) {
    if (message.kind === "full") this.isFull = true;
    const asked = this.waiting.get(message.id);
    if (!asked) {
      if (message.kind === "error") this.handlers.trouble(message.error);
      return;
    }
    if (message.kind === "info") {
      asked.report?.(message);
      return;
    }
    this.waiting.delete(message.id);
    if (message.kind === "error" || message.kind === "failed") asked.reject(Object.assign(new Error(message.error), message));
    else asked.resolve(message);
  }

  // Asks the server; reports of a search go to `report`. The answer of what was given up for another request has the
  // kind "given-up".
  ask(what, fields = {}, report = null) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Error("closed"));
        return;
      }
      const id = ++this.number;
      this.waiting.set(id, { resolve, reject, report });
      this.socket.send(JSON.stringify({ id, do: what, ...fields }));
    });
  }
}
