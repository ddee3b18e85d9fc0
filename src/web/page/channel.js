// The two ways to the program that answers: a WebSocket to the server, or workers of a page without a server. Both take
// and give lines of JSON.
//
// A channel calls `handlers`: opened(), received(line), closed(). It has send(line) and isOpen().

// Whether the page has no server.
export const isLocal = document.documentElement.dataset.engine === "worker";

const createWorker = () => new Worker("worker.js", { type: "module" });

// The first worker starts before the rest of the page is loaded: the page names this file first.
let early = isLocal ? createWorker() : null;
if (early) early.onerror = () => (early = null);

export const openChannel = (handlers) => (isLocal ? openWorkers(handlers) : openSocket(handlers));

function openSocket({ opened, received, closed }) {
  const socket = new WebSocket(`ws://${location.host}/session`);
  socket.onopen = opened;
  socket.onmessage = ({ data }) => received(data);
  socket.onclose = closed;
  return { send: (line) => socket.send(line), isOpen: () => socket.readyState === WebSocket.OPEN };
}

// Requests that search or prove.
const JOBS = ["think", "negotiate", "prove", "threats", "why"];

// Whether a worker can suspend a search to read its messages. Then one worker does everything. Otherwise a second one
// does the jobs: a new job or a stop terminates it, and after a stop its successor repeats a search for a moment.
const canPause = "Suspending" in WebAssembly;

// Milliseconds of that search.
const MOMENT = 100;

function openWorkers({ opened, received, closed }) {
  let isOpen = false;
  // The request of the job that has no answer yet.
  let job = null;

  function fail() {
    if (!isOpen) return;
    isOpen = false;
    first.terminate();
    if (second !== first) second.terminate();
    closed();
  }

  function start() {
    const worker = early ?? createWorker();
    early = null;
    worker.onerror = fail;
    worker.onmessage = ({ data }) => {
      if (typeof data !== "string") {
        fail();
        return;
      }
      const { id, kind } = JSON.parse(data);
      if (id === job?.id && kind !== "info" && kind !== "tick") job = null;
      received(data);
      keepOffline();
    };
    return worker;
  }

  const first = start();
  let second = canPause ? first : start();

  // Ends the job of the second worker.
  function endJob(isStop) {
    const { id, effort } = job;
    second.terminate();
    second = start();
    if (isStop && effort) {
      second.postMessage(JSON.stringify({ ...job, effort: { ...effort, time: MOMENT } }));
    } else {
      job = null;
      received(JSON.stringify({ id, kind: "given-up" }));
    }
  }

  function send(line) {
    const request = JSON.parse(line);
    const isJob = JOBS.includes(request.do);
    const isStop = request.do === "stop";
    if (!canPause && job && (isJob || isStop)) endJob(isStop);
    if (isJob) job = request;
    (isJob ? second : first).postMessage(line);
  }

  // The caller gets the channel before it is opened.
  queueMicrotask(() => {
    isOpen = true;
    opened();
  });
  return { send, isOpen: () => isOpen };
}

let isKept = false;

// Milliseconds from the first answer of the engine until the browser keeps the page. It loads all files once more, which
// would slow the first move.
const KEEP_DELAY = 3000;

function keepOffline() {
  if (isKept) return;
  isKept = true;
  // Service workers need a secure connection. Without one the page works online alone.
  setTimeout(() => navigator.serviceWorker?.register("offline.js").catch(() => {}), KEEP_DELAY);
}
