// The state of the page: one value, replaced by plain functions. Nothing here knows the document or the server.
//
// store.js     holds it, and makes that of a first visit
// read.js      what can be read from it; clocks.js: the time of both sides
// change.js    how the game on the board changes; answers.js: what the server says; opening.js: a procedure goes on
// games.js     whole games: begun, opened, saved, put aside

export * from "./answers.js";
export * from "./change.js";
export * from "./clocks.js";
export * from "./games.js";
export * from "./opening.js";
export * from "./read.js";
export * from "./store.js";
