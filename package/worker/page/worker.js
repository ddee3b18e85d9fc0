// The engine of the page without a server, in a worker. It takes and gives the same lines as the server.
//
// page ── line ─► lines ─► line() ─► tasks ─► run_task(), which pauses every 20 ms ─► messages are read, turn() ─┐
//   ▲                                            ▲                                                              │
//   └── line ◄── host.send ◄─────────────────────┴──────────────────────────────────────────────────────────────┘
//
// A browser that cannot suspend a running task (WebAssembly.Suspending) runs it to its end; a pause then only sends what
// the task has found. The page uses two workers and ends one to stop its task; see channel.js.

import networks from "./networks.js";
import init, { allow_pauses, has_network, line, measure, run_task, supply_network, turn } from "./tengen.js";

// The cache of the networks. The name of a file contains its checksum, so that a new version loads a new file.
const CACHE = "tengen-networks";

// The HTTP status of a missing file.
const NOT_FOUND = 404;

const lines = [];
let isReading = false;
let isRunning = false;
let hasLine = false;

// A message to itself comes after those of the page that wait already.
const { port1, port2 } = new MessageChannel();
let resume = null;
port2.onmessage = () => {
  turn();
  resume();
};

const readMessages = () =>
  new Promise((resolve) => {
    resume = resolve;
    port1.postMessage(null);
  });

const canSuspend = "Suspending" in WebAssembly;
self.host = { send: (text) => postMessage(text), pause: canSuspend ? readMessages : turn };
if (!canSuspend) {
  // The generated code names these; without them its calls are usual ones.
  WebAssembly.Suspending = class {
    constructor(call) {
      return call;
    }
  };
  WebAssembly.promising = (call) => call;
}
const started = init().then(() => allow_pauses());

// A failed engine ends the worker; the page starts another.
function fail(error) {
  postMessage({ failed: String(error) });
  close();
}

// The networks that are being loaded, by rule.
const loading = {};

// Loads the network of a rule, if the rule has one. After a failure the next call tries again.
function loadNetwork(rule) {
  const file = networks[rule];
  if (file && !has_network(rule)) loading[rule] ??= supply(rule, file).finally(() => delete loading[rule]);
  return loading[rule];
}

async function supply(rule, file) {
  const response = await load(file);
  supply_network(new Uint8Array(await response.arrayBuffer()));
}

// Loads a file, from the cache if possible. Without a secure connection browsers provide no cache.
async function load(file) {
  const cache = await self.caches?.open(CACHE);
  const cached = await cache?.match(file);
  if (cached) return cached;
  const response = await fetch(file);
  // An update of the page on its server has replaced the file. A page that is kept offline is still the old one.
  if (response.status === NOT_FOUND) throw Object.assign(new Error(file), { isOutdated: true });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  // The browser may refuse to keep it, in a private window for example.
  await cache?.put(file, response.clone()).catch(() => {});
  return response;
}

// The requests that search. They wait for the network; others only make it load, since a search is likely to follow.
const SEARCHES = ["think", "negotiate"];

async function read() {
  if (isReading) return;
  isReading = true;
  await started;
  while (lines.length > 0) {
    const text = lines.shift();
    const request = JSON.parse(text);
    const loaded = loadNetwork((request.game ?? request.opening)?.rule);
    try {
      if (SEARCHES.includes(request.do)) await loaded;
      else loaded?.catch(() => {});
    } catch (error) {
      const { message, isOutdated } = error;
      const network = isOutdated ? "outdated" : "missing";
      postMessage(JSON.stringify({ id: request.id, kind: "error", error: message, network }));
      continue;
    }
    line(text);
  }
  isReading = false;
  run().catch(fail);
}

// Runs all tasks. If it runs already, a call makes it check the queue once more.
async function run() {
  hasLine = true;
  if (isRunning) return;
  isRunning = true;
  while (hasLine) {
    hasLine = false;
    while (await run_task()) turn();
  }
  isRunning = false;
}

// For tests: the signature and the speed of `bench`.
async function bench({ picker, isShort }) {
  await started;
  for (const rule of Object.keys(networks)) await loadNetwork(rule);
  postMessage({ measured: measure(picker, isShort) });
}

self.onmessage = ({ data }) => {
  if (typeof data !== "string") {
    bench(data).catch(fail);
    return;
  }
  lines.push(data);
  read().catch(fail);
};
