// Starts the page:
//
// server.js ─► actions.js ─► state/: one store ─► render/: elements ─► events.js, keys.js, dialogs.js ─► actions.js
//                                    └─► storage.js

import { createActions, serverHandlers } from "./actions.js";
import { dialogActions } from "./dialogs.js";
import { listen } from "./events.js";
import { listenToKeys } from "./keys.js";
import { startDrawing } from "./render/index.js";
import { createServer } from "./server.js";
import {
  clocksRun,
  createStore,
  initialState,
  packState,
  restoreState,
  savedValues,
  showTrouble,
} from "./state/index.js";
import { readSaved, readSolved, saveChanges, saveSolved } from "./storage.js";
import { browserLanguage } from "./texts.js";

// Milliseconds between two looks at the clocks.
const TICK = 100;

const saved = readSaved();
const first = { ...initialState(browserLanguage()), solved: readSolved() };
const store = createStore(saved ? restoreState(first, saved) : first);
const server = createServer();
const actions = createActions(store, server);
const goban = startDrawing(store, actions);
Object.assign(actions, dialogActions(store, actions, goban));
listen(store, actions, goban);
listenToKeys(store, actions);
const warnOfRoom = (isMissing) => store.update(showTrouble, isMissing ? actions.text("notSaved") : null, true);
saveChanges(store, savedValues, packState, clocksRun, actions.leavePage, warnOfRoom);
saveSolved(store);
setInterval(actions.tick, TICK);
server.connect(serverHandlers(store, actions));
