// Who moves when: engines, clocks and the procedures of the opening. The game itself is `app.tree`.
"use strict";

const Play = {
  // The players that a person can choose: pairs of a value and a name.
  seats() {
    const { weightings, engines } = app.hello;
    return [["human", t("human")], ["search", t("search")], ["mcts", t("mcts")], ...weightings.map(([name]) => [`greedy:${name}`, t("greedy", name)]), ...engines.map((name) => [`engine:${name}`, name])];
  },

  name(seat) {
    if (seat.startsWith("engine:")) return seat.slice(7);
    return seat.startsWith("greedy:") ? t("greedy", seat.slice(7)) : t(seat);
  },

  isEngine: (seat) => seat !== "human",

  // The same seat as the server names it.
  who(seat) {
    if (seat.startsWith("engine:")) return { engine: seat.slice(7) };
    return { picker: seat.startsWith("greedy:") ? ["greedy", seat.slice(7)] : [seat, app.weighting] };
  },

  effort(color) {
    const { turn, nodes, increment } = app.settings;
    const left = app.settings.clock > 0 ? Math.max(1, Math.round(Play.left(color))) : 0;
    return { time: Math.round(turn * 1000), nodes, left, increment: increment * 1000, lines: Number(byId("lines").value) };
  },

  // The clocks stand still during an opening. Where nothing else bounds an answer, this does.
  openingEffort(color) {
    const effort = { ...Play.effort(color), left: 0 };
    return effort.time || effort.nodes ? effort : { ...effort, time: 2000 };
  },

  // What is left of a side's time in milliseconds.
  left(color) {
    const start = app.settings.clock * 60000;
    let node = app.tree.here;
    while (node && !node.left) node = node.parent;
    const left = (node?.left ?? [start, start])[color === "black" ? 0 : 1];
    return Play.runs() && color === app.turn() ? left - (performance.now() - app.since) : left;
  },

  runs: () => app.settings.clock > 0 && app.playing && !app.isOver() && !app.opening,

  // Keeps the clocks with a move that has just been played.
  stamp(node, color) {
    if (app.settings.clock === 0) return;
    const spent = app.playing ? performance.now() - app.since : 0;
    const start = app.settings.clock * 60000;
    let above = node.parent;
    while (above && !above.left) above = above.parent;
    const left = [...(above?.left ?? [start, start])];
    left[color === "black" ? 0 : 1] += app.settings.increment * 1000 - spent;
    node.left = left;
  },

  // The clock of the side to move has run out.
  flag(color) {
    const node = app.tree.here;
    node.result = { winner: color === "black" ? "white" : "black", end: "time" };
    app.playing = false;
    Play.giveUp();
    app.changed();
  },

  giveUp() {
    app.job = null;
    app.link.ask("stop").catch(() => {});
  },

  // Lets whoever has the move act, once the position is known to go on.
  async step() {
    if (app.opening) return Play.openingStep();
    if (app.isOver() || app.job) return null;
    const seat = app.seats[app.turn()];
    if (app.playing && Play.isEngine(seat)) return Play.engine(seat);
    if (app.analysing) return Play.analyse();
    return null;
  },

  // One move of an engine.
  async engine(seat) {
    const [node, color] = [app.tree.here, app.turn()];
    const job = (app.job = { kind: "play", seat });
    app.info = null;
    app.drawState();
    let answer;
    try {
      answer = await app.link.ask("think", { game: app.game(), who: Play.who(seat), effort: Play.effort(color) }, (info) => job === app.job && app.report(node, info));
    } catch (error) {
      if (app.job !== job) return;
      app.job = null;
      app.playing = false;
      if (error.kind) app.trouble(error.kind === "failed" ? t("failed", `${error.message}.`) : error.message);
      app.drawState();
      return;
    }
    if (app.job !== job) return;
    app.job = null;
    if (answer.kind !== "move" || app.tree.here !== node) return;
    app.known(node, color, answer);
    const child = app.tree.play(answer.point);
    Object.assign(child, { who: Play.name(seat), why: answer.why ?? null, text: answer.text ?? null, score: answer.score ?? null, said: answer.said ?? null, time: answer.time ?? Math.round(answer.info?.time ?? 0) });
    if (child.chance === null && !child.scored) child.chance = node.chance;
    Play.stamp(child, color);
    if (answer.info) app.info = { ...answer.info, node };
    app.moved(color, answer.point);
  },

  // Searches the position until something else happens.
  async analyse() {
    const [node, color] = [app.tree.here, app.turn()];
    const job = (app.job = { kind: "analyse" });
    app.info = null;
    app.drawState();
    const effort = { time: 3600000, lines: Number(byId("lines").value) };
    try {
      const answer = await app.link.ask("think", { game: app.game(), who: Play.who("search"), effort }, (info) => job === app.job && app.report(node, info));
      if (app.job === job) app.known(node, color, answer);
    } catch (error) {
      if (error.kind && app.job === job) app.trouble(error.message);
    }
    if (app.job === job) app.job = null;
    app.drawState();
  },

  // Searches every position of the current line for a moment each.
  async whole() {
    const line = app.tree.line();
    const job = (app.job = { kind: "whole", cancelled: false });
    app.playing = false;
    app.analysing = false;
    app.drawState();
    for (let place = 0; place < line.length && app.job === job; place++) {
      app.progress(place / line.length, `${place}/${line.length - 1}`);
      const game = app.game(line[place]);
      try {
        const answer = await app.link.ask("think", { game, who: Play.who("search"), effort: { time: 250, lines: 1 } });
        if (answer.kind === "move") app.known(line[place], colorOf(place), answer);
      } catch (error) {
        // The last position may be the end of the game: the result says what it is worth.
        const winner = line[place].result?.winner;
        if (winner) line[place].chance = winner === "black" ? 1 : 0;
        if (!error.kind) break;
      }
      app.drawGraph();
    }
    if (app.job === job) app.job = null;
    app.progress(null);
    app.changed();
  },

  // A forced win of a side; in a continuous game, its next five.
  async prove(kind, side) {
    const [game, node] = [app.game(), app.tree.here];
    const job = (app.job = { kind: "prove" });
    const other = side === "black" ? "white" : "black";
    const { continuous } = app.settings;
    app.proof = { kind, side, node, moves: [], shown: 0 };
    app.drawState();
    try {
      const found = await app.link.ask("prove", { game, how: kind, side });
      if (app.job !== job) return;
      app.proof = { kind, side, node, continuous, result: found.result, moves: found.moves ?? [], shown: found.moves?.length ?? 0, other: () => Play.prove(kind, other) };
    } catch (error) {
      app.proof = null;
      if (error.kind) app.trouble(error.message);
    }
    if (app.job === job) app.job = null;
    app.showProof();
    app.drawState();
    Play.step();
  },

  // The opening as the server takes it, with these answers.
  openingText(answers) {
    const { size, rule, continuous, procedure } = app.settings;
    return { size, rule, continuous, procedure, answers };
  },

  // The opening: puts its stones on the board, then asks whoever is asked.
  async openingStep() {
    const { settings, opening } = app;
    if (app.job) return;
    const text = Play.openingText(opening.answers);
    const state = await app.link.ask("opening", { opening: text }).catch((error) => {
      if (error.kind) app.trouble(error.message);
      return null;
    });
    if (!state || app.opening !== opening) return;
    app.tree.go(app.tree.root);
    for (const stone of state.stones) app.tree.play(stone);
    opening.state = state;
    if (!state.asked) {
      const [one, two] = [settings.one, settings.two];
      app.seats = state.black === "opener" ? { black: one, white: two } : { black: two, white: one };
      app.opening = null;
      app.since = performance.now();
      app.changed();
      return;
    }
    const seat = state.asked.player === "opener" ? settings.one : settings.two;
    app.drawState();
    app.draw();
    if (!Play.isEngine(seat)) return;
    const job = (app.job = { kind: "play", seat });
    app.drawState();
    try {
      const answer = await app.link.ask("negotiate", { opening: text, who: Play.who(seat), effort: Play.openingEffort(state.turn) });
      if (app.job !== job) return;
      app.job = null;
      if (answer.kind === "answer") Play.answer(answer.answer);
    } catch (error) {
      if (app.job === job) app.job = null;
      if (error.kind) app.trouble(error.message);
      app.drawState();
    }
  },

  // Gives an answer of the opening.
  async answer(text) {
    const { opening } = app;
    const answers = [...opening.answers, text];
    try {
      await app.link.ask("opening", { opening: Play.openingText(answers) });
    } catch (error) {
      opening.pending = [];
      if (error.kind) app.trouble(error.message);
      app.draw();
      app.drawState();
      return;
    }
    opening.answers = answers;
    opening.pending = [];
    app.save();
    Play.openingStep();
  },

  // A click on a point during the opening.
  pick(point) {
    const { opening } = app;
    const asked = opening.state?.asked;
    if (!asked || app.job || Play.isEngine(Play.asked())) return;
    if (opening.pending.includes(point)) opening.pending = opening.pending.filter((other) => other !== point);
    else if (opening.pending.length < Math.max(0, ...asked.counts)) opening.pending.push(point);
    const isWhole = asked.counts.length === 1 && asked.counts[0] === 1 && opening.pending.length === 1 && !asked.announce;
    if (isWhole) Play.answer(opening.pending.join(" "));
    app.draw();
    app.drawState();
  },

  asked: () => (app.opening.state.asked.player === "opener" ? app.settings.one : app.settings.two),

  // What stands below the board while a person is asked.
  question() {
    const { opening } = app;
    const asked = opening?.state?.asked;
    if (!asked || Play.isEngine(Play.asked())) return [];
    const most = Math.max(0, ...asked.counts);
    const who = `${t(opening.state.turn)}, ${asked.player === "opener" ? t("opener") : t("other")}`;
    const counts = asked.counts.join(" / ");
    const key = most === 0 ? "askSwap" : asked.offered.length ? "askPick" : asked.offer ? "askOffer" : most === 1 ? "askStone" : "askStones";
    const number = asked.announce ? make("input", { type: "number", min: 1, max: asked.announce, value: 1, "aria-label": t("fifths") }) : null;
    const send = () => Play.answer([...opening.pending, ...(number ? [number.value] : [])].join(" "));
    const isWhole = asked.counts.includes(opening.pending.length);
    return [
      make("p", {}, t(key, who, counts), most > 1 ? make("small", {}, ` ${t("chosen", opening.pending.length, counts)}`) : null),
      make("div", { class: "row" },
        asked.swap && make("button", { onclick: () => Play.answer("swap") }, t("swap")),
        asked.keep && make("button", { onclick: () => Play.answer("keep") }, t("keep")),
        number && make("label", {}, `${t("fifths")} `, number),
        most > 1 || number ? make("button", { class: "primary", disabled: !isWhole, onclick: send }, t("confirm")) : null,
        most > 1 ? make("button", { class: "quiet", onclick: () => { opening.pending = []; app.draw(); app.drawState(); } }, t("clear")) : null),
    ];
  },
};
