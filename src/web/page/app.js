// The page: what it shows, and what its buttons do.
"use strict";

const byId = (id) => document.getElementById(id);

const app = {
  tree: new Tree(),
  settings: { size: 15, rule: "freestyle", continuous: false, procedure: "plain", one: "human", two: "search", turn: 2, nodes: 0, clock: 0, increment: 0 },
  seats: { black: "human", white: "search" },
  opening: null, // While a procedure runs: answers, the stones chosen so far, what is asked.
  playing: true, // Whether engines move by themselves.
  analysing: false,
  looking: false,
  numbers: false,
  overlay: "none",
  weighting: "shapes",
  hello: null,
  job: null, // What the server works at: play, analyse, whole, prove.
  view: null, // The server's view of a node.
  info: null,
  point: null,
  proof: null,
  preview: null, // Stones drawn on a position: {node, moves, shift}; `shift` is 1 where the other side begins.
  shownLine: null, // The place of the search's line that is drawn.
  marked: null, // The point that a table row is about.
  games: [],
  chosenGame: null,
  since: performance.now(),

  turn: (node = app.tree.here) => colorOf(Tree.depth(node)),
  game: (node = app.tree.here) => ({ size: app.settings.size, rule: app.settings.rule, continuous: app.settings.continuous, moves: app.tree.moves(node).join(" ") }),
  write: (point) => Letters.write(point, app.settings.size),
  isOver: () => Boolean(app.tree.here.result) || Boolean(app.view?.node === app.tree.here && app.view.outcome),

  // The position is another one: what ran for the old one ends, and the server looks at the new one.
  async changed() {
    const node = app.tree.here;
    if (app.job) Play.giveUp();
    Object.assign(app, { preview: null, shownLine: null, marked: null, proof: null });
    if (!app.isLasting) app.trouble(null);
    app.since = performance.now();
    app.save();
    app.draw();
    app.drawState();
    await app.refresh();
    if (app.tree.here === node && app.view?.node === node) Play.step();
  },

  // Asks for what is shown of the position.
  async refresh() {
    const node = app.tree.here;
    const fields = { game: app.game() };
    if (["attack", "defence", "total"].includes(app.overlay)) fields.weights = app.weighting;
    if (["black", "white"].includes(app.overlay)) fields.shapes = true;
    const ticket = (app.ticket = (app.ticket ?? 0) + 1);
    try {
      const view = await app.link.ask("view", fields);
      if (ticket !== app.ticket) return;
      app.view = { ...view, node };
      if (view.scored && app.tree.score(node, view.scored)) {
        // The chance was that of the five.
        node.chance = null;
        app.save();
        app.speak(`${t("playedAt", t(colorOf(Tree.depth(node) - 1)), app.write(node.move))}, ${app.scoreText(node)}; ${app.fivesText(node)}`);
      }
      if (view.outcome) {
        node.result = view.outcome;
        if (view.outcome.winner) node.chance = view.outcome.winner === "black" ? 1 : 0;
      }
      if (app.point && app.looking) await app.lookAt(app.point.point, true);
    } catch (error) {
      if (error.kind) app.trouble(error.message);
    }
    app.draw();
    app.drawState();
  },

  // A person chooses a point of the board.
  choose(point) {
    if (app.looking) return app.lookAt(point);
    if (app.opening) return Play.pick(point);
    const color = app.turn();
    if (app.isOver() || (app.job?.kind === "play" && app.playing)) return null;
    if (app.tree.moves().includes(point)) return app.speak(t("occupied", app.write(point)));
    if (app.job) Play.giveUp();
    const child = app.tree.play(point);
    child.who ??= t("human");
    child.time ??= Math.round(performance.now() - app.since);
    Play.stamp(child, color);
    app.playing = true;
    return app.moved(color, point);
  },

  moved(color, point) {
    app.speak(t("playedAt", t(color), app.write(point)));
    app.changed();
  },

  async lookAt(point, quietly) {
    try {
      app.point = await app.link.ask("point", { game: app.game(), point });
      if (!quietly) app.tab("points");
    } catch (error) {
      app.point = null;
      if (error.kind && !quietly) app.speak(error.message);
    }
    app.draw();
    app.drawSide();
  },

  // What a search has found about a node.
  report(node, info) {
    app.info = { ...info, node };
    // Without nodes there was no search: the centre of an empty board has no score.
    if (info.lines.length && info.nodes > 0) app.known(node, app.turn(node), { ...info.lines[0], info });
    app.drawSide();
    app.drawGraph();
  },

  known(node, color, { chance, value }) {
    if (chance === undefined || chance === null) return;
    node.chance = color === "black" ? chance : 1 - chance;
    node.value = color === "black" ? value : -value;
  },

  go(node) {
    if (node === app.tree.here || app.opening) return;
    app.playing = false;
    app.info = null;
    app.tree.go(node);
    app.changed();
  },

  back: () => app.tree.here.parent && app.go(app.tree.here.parent),
  forward: () => app.tree.here.children.length && app.go(app.tree.next(app.tree.here)),

  // Back to the last position in which the person who plays an engine had the move; between two engines one move back.
  takeback() {
    if (app.opening || !app.tree.here.parent) return;
    const isPerson = (node) => !Play.isEngine(app.seats[app.turn(node)]);
    let node = app.tree.here.parent;
    if (!isPerson(node) && node.parent && isPerson(node.parent)) node = node.parent;
    for (let at = app.tree.here; at; at = at.parent) if (at.result?.end === "time") at.result = null;
    app.tree.go(node);
    app.playing = isPerson(node);
    app.info = null;
    app.changed();
  },

  // The engine of the side to move plays, or the one that thinks answers at once.
  move() {
    if (app.job?.kind === "play") {
      app.link.ask("stop").catch(() => {});
      return;
    }
    if (app.opening) {
      Play.openingStep();
      return;
    }
    if (app.isOver()) return;
    if (app.job) Play.giveUp();
    const own = app.seats[app.turn()];
    const others = Object.values(app.seats).filter(Play.isEngine);
    app.playing = true;
    app.since = performance.now();
    Play.engine(Play.isEngine(own) ? own : (others[0] ?? "search"));
  },

  // Draws the board.
  draw() {
    const { tree, settings, overlay, preview } = app;
    const node = preview?.node ?? tree.here;
    const moves = tree.moves(node);
    const view = app.view?.node === node ? app.view : null;
    const walls = tree.walls(node);
    const stones = moves.map((at, place) => ({ at, color: colorOf(place), number: app.numbers ? place + 1 : null, wall: walls.has(at) }));
    const pending = app.opening?.pending ?? [];
    const asked = app.opening?.state?.asked;
    pending.forEach((at, place) => stones.push({ at, color: colorOf(moves.length + (asked?.offer ? 0 : place)), number: place + 1, ghost: true }));
    const taken = new Set(moves);
    preview?.moves.forEach((at, place) => taken.has(at) || stones.push({ at, color: colorOf(moves.length + place + preview.shift), number: place + 1, ghost: true }));
    const heat = preview ? [] : app.heat(view, overlay);
    for (const at of asked?.offered ?? []) heat.push({ at, share: 0.7, text: "5", kind: "total" });
    for (const at of asked?.allowed ?? []) if (asked.allowed.length < 90) heat.push({ at, share: 0.1, text: "", kind: "total" });
    app.board.draw({
      size: settings.size, stones, heat, last: moves[moves.length - 1], row: view?.row, forbidden: view?.forbidden,
      windows: app.looking && app.point ? app.point.lines.map((line) => line.cells) : [], marked: app.marked ?? (app.looking ? app.point?.point : null),
      next: app.looking || preview || app.isOver() || app.job?.kind === "play" ? null : app.turn(),
    });
    const outcome = app.view?.node === tree.here ? app.view.outcome : null;
    byId("board").setAttribute("aria-label", `${t("boardHelp")}. ${settings.size} × ${settings.size}, ${t(settings.rule)}${settings.continuous ? `, ${t("continuousGame")}, ${app.fivesText(tree.here)}` : ""}. ${outcome ? app.resultText(tree.here.result) : t("toMove", t(app.turn()))}`);
  },

  heat(view, overlay) {
    if (["attack", "defence", "total"].includes(overlay) && view?.weights) {
      const column = { attack: 1, defence: 2, total: 3 }[overlay];
      const rows = view.weights.points.filter((row) => row[column] !== 0);
      const greatest = Math.max(1, ...rows.map((row) => row[column]));
      const share = (value) => (value > 0 ? Math.log1p(value) / Math.log1p(greatest) : 0);
      return rows.map((row) => ({ at: row[0], share: share(row[column]) ** 2, text: Format.short(row[column]), kind: overlay }));
    }
    if (["black", "white"].includes(overlay) && view?.shapes) {
      const order = ["two", "open two", "three", "open three", "double three", "four", "four-three", "double four", "open four", "five"];
      const place = overlay === "black" ? 1 : 2;
      return view.shapes.filter((row) => row[place]).map((row) => ({ at: row[0], share: (order.indexOf(row[place]) + 1) / order.length, text: t(`short ${row[place]}`), kind: "shape" }));
    }
    return [];
  },

  fivesText: (node) => t("fivesOfBoth", app.tree.fives("black", node), app.tree.fives("white", node)),

  // What the stone of a node scored in a continuous game.
  scoreText(node) {
    const { winner } = node.scored;
    const isFive = winner === colorOf(Tree.depth(node) - 1);
    return t(isFive ? "madeFive" : "madeFoul", t(winner));
  },

  resultText(result) {
    if (!result) return "";
    if (!result.winner) return t("draw");
    const how = { row: t("byRow"), foul: t("byFoul", result.text?.split(": ").pop() ?? ""), time: t("byTime"), fives: t("byFives", ...["black", "white"].map((color) => app.tree.fives(color)).sort((a, b) => b - a)) }[result.end] ?? result.text ?? "";
    return `${t("won", t(result.winner))} ${how}`;
  },

  // Draws everything beside the board.
  drawState() {
    const { tree, seats, job, opening } = app;
    const turn = opening?.state?.turn ?? app.turn();
    for (const color of ["black", "white"]) {
      const card = byId(`player-${color}`);
      const asked = opening?.state?.asked && (opening.state.asked.player === "opener" ? "black" : "white");
      const isOn = !app.isOver() && (asked ?? turn) === color;
      card.classList.toggle("on", isOn);
      card.classList.toggle("busy", isOn && job?.kind === "play");
      const own = app.settings[color === "black" ? "one" : "two"];
      card.querySelector("b").textContent = opening ? Play.name(own) : (app.names?.[color] ?? Play.name(seats[color]));
      const side = opening ? t(color === "black" ? "opener" : "other") : t(color);
      card.querySelector("span").textContent = app.settings.continuous ? `${side} · ${t("fives", tree.fives(color))}` : side;
    }
    app.drawClocks();
    const result = tree.here.result ?? (app.view?.node === tree.here ? app.view.outcome : null);
    const mover = opening?.state?.asked ? Play.asked() : seats[turn];
    const name = app.view?.node === tree.here && app.view.opening;
    const named = name ? ` · ${t("openingName", name.code, Texts.language ? name.zh : name.name)}` : "";
    const state = result ? app.resultText(result) : job?.kind === "play" ? t("thinking", Play.name(job.seat)) : mover === "human" && app.playing ? `${t("yourTurn")} (${t(turn)})` : t("toMove", t(turn));
    const scored = tree.here.scored ? `${app.scoreText(tree.here)} · ` : "";
    byId("status").textContent = scored + state + named;
    const question = Play.question();
    byId("question").hidden = question.length === 0;
    byId("question").replaceChildren(...question);
    const all = Tree.depth(tree.tip());
    byId("place").textContent = `${Tree.depth(tree.here)} / ${all}`;
    for (const id of ["first", "back", "takeback"]) byId(id).disabled = !tree.here.parent || Boolean(opening);
    for (const id of ["last", "forward"]) byId(id).disabled = !tree.here.children.length;
    byId("move").textContent = t(job?.kind === "play" ? "moveNow" : "play");
    byId("move").disabled = app.isOver() || (opening && !Play.isEngine(mover));
    byId("look").setAttribute("aria-pressed", app.looking);
    byId("analyse").setAttribute("aria-pressed", app.analysing);
    byId("contrast").setAttribute("aria-pressed", document.documentElement.dataset.contrast === "high");
    for (const id of ["vcf", "vct", "analyse"]) byId(id).disabled = app.isOver() || Boolean(opening);
    byId("whole").disabled = all === 0 || Boolean(opening);
    app.drawGraph();
    app.drawSide();
  },

  drawClocks() {
    for (const color of ["black", "white"]) {
      const node = byId(`player-${color}`).querySelector("time");
      const left = Play.left(color);
      const text = app.settings.clock > 0 ? Format.clock(left) : "";
      if (node.textContent !== text) node.textContent = text;
      node.classList.toggle("low", app.settings.clock > 0 && left < 20000);
      if (Play.runs() && color === app.turn() && left <= 0) Play.flag(color);
    }
  },

  drawGraph() {
    const line = app.tree.line();
    app.marks = turns(line);
    byId("graph").replaceChildren(Views.graph(line, app.tree.here, app.marks, app.go));
  },

  drawSide() {
    const { tree, settings } = app;
    const isShown = (name) => !byId(`panel-${name}`).hidden;
    if (isShown("analysis")) {
      const busy = byId("search").contains(document.activeElement) || byId("search").matches(":hover");
      if (!busy || app.info !== app.drawnInfo) {
        const place = [...byId("search").querySelectorAll(".line")].indexOf(document.activeElement);
        byId("search").replaceChildren(...Views.search(app.info, settings.size));
        if (place >= 0) byId("search").querySelectorAll(".line")[place]?.focus();
        if (app.shownLine !== null) app.showLine(app.shownLine);
      }
      app.drawnInfo = app.info;
      byId("proof").replaceChildren(...Views.proof(app.proof, settings.size, (shown) => {
        app.proof.shown = shown;
        app.showProof();
        app.drawSide();
      }));
      if (app.whyNode !== tree.here || app.whyLanguage !== Texts.language) byId("why").replaceChildren(...Views.why(tree.here, settings.size));
      [app.whyNode, app.whyLanguage] = [tree.here, Texts.language];
    }
    if (isShown("points")) {
      byId("point").replaceChildren(...Views.point(app.looking ? app.point : null, settings.size));
      const weights = app.view?.weights;
      const column = { attack: 1, defence: 2, total: 3 }[app.overlay];
      const values = weights && column ? weights.points.map((row) => row[column]) : [];
      const texts = values.length ? [t("legendWeights", t(app.overlay), weights.name, t(app.view.turn), Format.count(Math.min(...values)), Format.count(Math.max(...values)), weights.best ? app.write(weights.best) : "–")] : [];
      byId("legend").replaceChildren(...texts);
    }
    if (isShown("moves")) {
      byId("moves").replaceChildren(...Views.moves(tree, settings.size, app.marks ?? new Map(), { go: app.go, remove: (node) => (tree.remove(node), app.changed()) }));
      byId("moves").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
    byId("tab-games").hidden = app.games.length < 2;
    if (isShown("games")) byId("games").replaceChildren(...Views.games(app.games, app.chosenGame, app.loadGame));
  },

  // Draws a line of the search on the position that was searched, which may not be the one shown; null draws none.
  showLine(place) {
    const line = place === null ? null : app.info?.lines[place];
    if (!line && app.shownLine === null) return;
    app.shownLine = line ? place : null;
    if (!line) return app.showProof();
    app.preview = { node: app.info.node, moves: line.moves.split(" "), shift: 0 };
    app.draw();
  },

  showProof() {
    const { proof } = app;
    app.preview = proof?.moves.length ? { node: proof.node, moves: proof.moves.slice(0, proof.shown), shift: proof.side === app.turn(proof.node) ? 0 : 1 } : null;
    app.draw();
  },

  mark(point) {
    if (point === app.marked) return;
    app.marked = point;
    app.draw();
  },

  tab(name) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isOn = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", isOn);
      tab.tabIndex = isOn ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !isOn;
    }
    app.drawSide();
  },

  progress(share, text) {
    byId("progress").hidden = share === null;
    if (share === null) return;
    byId("progress").querySelector("progress").value = share;
    byId("progress").querySelector("span").textContent = text;
  },

  speak(text) {
    byId("spoken").textContent = text;
  },

  // Shows what went wrong until the position changes; `isLasting` keeps it until the server answers again.
  trouble(text, isLasting = false) {
    app.isLasting = isLasting;
    byId("trouble").hidden = !text;
    byId("trouble").querySelector("span").textContent = text ?? "";
  },

  // Begins a game with these settings.
  begin(settings) {
    if (app.job) Play.giveUp();
    app.settings = settings;
    app.seats = { black: settings.one, white: settings.two };
    app.tree = new Tree();
    app.opening = settings.procedure === "plain" ? null : { answers: [], pending: [] };
    Object.assign(app, { playing: true, names: null, info: null, point: null, looking: false, view: null, chosenGame: null });
    app.trouble(null);
    app.changed();
  },

  // Shows a game that the server has read.
  loadGame(place) {
    const game = app.games[place];
    if (app.job) Play.giveUp();
    app.settings = { ...app.settings, size: game.size, rule: game.rule, continuous: game.continuous, procedure: "plain", clock: 0 };
    app.seats = { black: "human", white: "human" };
    app.names = game.players?.some(Boolean) ? { black: game.players[0], white: game.players[1] } : null;
    app.tree = new Tree();
    Object.assign(app, { opening: null, playing: false, analysing: false, info: null, point: null, view: null, chosenGame: place });
    const nodes = [app.tree.root, ...game.moves.split(" ").filter(Boolean).map((move) => app.tree.play(move))];
    nodes.forEach((node, at) => at > 0 && (node.time = game.times?.[at - 1] ?? null));
    for (const { ply, text } of game.said ?? []) {
      const node = nodes[Math.min(ply + 1, nodes.length - 1)];
      (node.said ??= []).push(text);
    }
    for (const node of nodes) app.scoreOf(node);
    const last = nodes[nodes.length - 1];
    if (game.end === "time" || (game.winner && !["row", "foul", "draw"].includes(game.end))) last.result = { winner: game.winner === "draw" ? null : game.winner, end: game.end, text: game.detail };
    app.trouble(null);
    app.changed();
    app.drawSide();
  },

  // The score that an engine wrote beside its move, in the form of Tengen, Yixin and Rapfi.
  scoreOf(node) {
    const found = node.said?.map((text) => /\bev ([+-]?M?\d+)/.exec(text)?.[1]).filter(Boolean).pop();
    if (!found) return;
    const isMate = /M/.test(found);
    const number = Number(found.replace("M", ""));
    const chance = isMate ? (found.startsWith("-") ? 0 : 1) : 1 / (1 + Math.exp(-number / 200));
    node.chance = app.turn(node) === "white" ? chance : 1 - chance;
  },

  async read(text, settings) {
    try {
      const { games } = await app.link.ask("read", { text, size: settings.size, rule: settings.rule, continuous: settings.continuous, ranks: settings.ranks });
      app.games = games;
      app.loadGame(0);
      app.tab(games.length > 1 ? "games" : "moves");
    } catch (error) {
      app.trouble(error.kind ? error.message : t("connecting"));
    }
  },

  async export(form) {
    const offer = (blob, ending) => {
      const link = make("a", { href: URL.createObjectURL(blob), download: `tengen.${ending}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    if (form === "text") return offer(new Blob([Letters.writeAll(app.tree.moves(app.tree.tip()), app.settings.size) + "\n"], { type: "text/plain" }), "txt");
    if (form === "psq") {
      const path = app.tree.path(app.tree.tip());
      const players = ["black", "white"].map((color) => app.names?.[color] ?? Play.name(app.seats[color]));
      const fields = { game: app.game(app.tree.tip()), times: path.map((node) => node.time ?? 0), players, is_time: path[path.length - 1]?.result?.end === "time" };
      const { text } = await app.link.ask("psq", fields).catch((error) => (app.trouble(error.message), {}));
      return text && offer(new Blob([text], { type: "text/plain" }), "psq");
    }
    const svg = new Blob([app.board.file()], { type: "image/svg+xml" });
    if (form === "svg") return offer(svg, "svg");
    const image = new Image();
    image.src = URL.createObjectURL(svg);
    await image.decode();
    const canvas = make("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    return canvas.toBlob((blob) => offer(blob, "png"));
  },

  // Keeps the game in the browser, so that a reload goes on with it.
  save() {
    const { settings, seats, names, playing, overlay, weighting, numbers, opening } = app;
    const kept = { settings, seats, names, playing, overlay, weighting, numbers, opening: opening && { answers: opening.answers, pending: [] }, tree: app.tree.save(), language: Texts.code(), contrast: document.documentElement.dataset.contrast };
    Kept.write(kept);
  },

  restore() {
    let kept = Kept.read();
    try {
      if (kept) app.tree = Tree.load(kept.tree);
    } catch {
      kept = null;
    }
    Texts.begin(kept?.language);
    if (!kept) return;
    for (const key of ["settings", "seats", "names", "playing", "overlay", "weighting", "numbers", "opening"]) app[key] = kept[key] ?? app[key];
    if (kept.contrast) document.documentElement.dataset.contrast = kept.contrast;
  },

  // Writes the texts in the language, also those of the lists.
  translate() {
    Texts.fill(document);
    const options = (select, pairs, value) => {
      select.replaceChildren(...pairs.map(([key, text]) => make("option", { value: key }, text)));
      select.value = pairs.some(([key]) => key === value) ? value : pairs[0][0];
    };
    const overlays = [["none", t("overlayNone")], ["total", t("overlayTotal")], ["attack", t("overlayAttack")], ["defence", t("overlayDefence")], ["black", t("overlayBlack")], ["white", t("overlayWhite")]];
    options(byId("overlay"), overlays, app.overlay);
    if (app.hello) {
      const { weightings, rules, procedures } = app.hello;
      options(byId("weighting"), weightings.map(([name, title]) => [name, `${name} ${title}`]), app.weighting);
      const fresh = byId("dialog-new").querySelector("form");
      const old = byId("dialog-open").querySelector("form");
      options(old.ranks, [["bottom", t("ranksBottom")], ["top", t("ranksTop")]], old.ranks.value);
      for (const form of [fresh, old]) options(form.rule, rules.map((rule) => [rule, t(rule)]), app.settings.rule);
      options(fresh.one, Play.seats(), app.settings.one);
      options(fresh.two, Play.seats(), app.settings.two);
      options(fresh.procedure, procedures.map(([name]) => [name, name === "plain" ? t("plain") : name]), app.settings.procedure);
    }
    const keys = [["← ↑ ↓ →", "keyArrows"], ["Enter", "keyEnter"], [", .", "keyStep"], ["Home End", "keyEnds"], ["t", "keyTakeback"], ["m", "keyMove"], ["a", "keyAnalyse"], ["l", "keyLook"], ["o", "keyOverlay"], ["n", "keyNumbers"], ["g", "keyNew"]];
    byId("keys").replaceChildren(make("dl", { class: "keys" }, keys.flatMap(([key, text]) => [make("dt", {}, key.split(" ").map((one) => make("kbd", {}, one))), make("dd", {}, t(text))])));
  },

  ask(name, then) {
    const dialog = byId(`dialog-${name}`);
    dialog.returnValue = "cancel";
    dialog.onclose = () => dialog.returnValue !== "cancel" && dialog.returnValue !== "" && then?.(dialog.querySelector("form"), dialog.returnValue);
    dialog.showModal();
  },

  askOpen() {
    const form = byId("dialog-open").querySelector("form");
    form.continuous.checked = false;
    form.ranks.value = "bottom";
    app.ask("open", async (form) => {
      const file = form.file.files[0];
      const settings = { size: Number(form.size.value), rule: form.rule.value, continuous: form.continuous.checked, ranks: form.ranks.value };
      const text = file ? await file.text() : form.text.value;
      form.file.value = form.text.value = "";
      app.read(text, settings);
    });
  },

  askNew() {
    const form = byId("dialog-new").querySelector("form");
    for (const key of Object.keys(app.settings)) if (form[key]) form[key].value = app.settings[key];
    form.continuous.checked = app.settings.continuous;
    app.labelSeats();
    app.ask("new", (filled) => {
      const numbers = ["size", "turn", "nodes", "clock", "increment"].map((key) => [key, Number(filled[key].value)]);
      const words = ["one", "two", "rule", "procedure"].map((key) => [key, filled[key].value]);
      const settings = { ...Object.fromEntries([...numbers, ...words]), continuous: filled.continuous.checked };
      if (settings.turn === 0 && settings.nodes === 0 && settings.clock === 0) settings.turn = 2;
      app.begin(settings);
    });
  },

  // With a procedure nobody has a color yet.
  labelSeats() {
    const isPlain = byId("dialog-new").querySelector("form").procedure.value === "plain";
    byId("label-one").textContent = t(isPlain ? "black" : "opener");
    byId("label-two").textContent = t(isPlain ? "white" : "other");
  },

  wire() {
    const on = (id, action, kind = "click") => byId(id).addEventListener(kind, action);
    const toggle = (key) => () => {
      app[key] = !app[key];
      app.draw();
      app.drawState();
    };
    const actions = {
      first: () => app.go(app.tree.root), back: app.back, forward: app.forward, last: () => app.go(app.tree.tip()),
      takeback: app.takeback, move: app.move, look: toggle("looking"), new: app.askNew,
      open: app.askOpen,
      export: () => {
        byId("export-note").hidden = !app.settings.continuous;
        app.ask("export", (_, form) => app.export(form));
      },
      help: () => app.ask("help"),
      language: () => {
        Texts.language = 1 - Texts.language;
        app.translate();
        app.save();
        app.draw();
        app.drawState();
      },
      contrast: () => {
        const root = document.documentElement;
        root.dataset.contrast = root.dataset.contrast === "high" ? "normal" : "high";
        app.save();
        app.drawState();
      },
      analyse: () => {
        app.analysing = !app.analysing;
        if (!app.analysing && app.job?.kind === "analyse") Play.giveUp();
        app.drawState();
        Play.step();
      },
      whole: () => {
        if (app.job) Play.giveUp();
        Play.whole();
      },
      vcf: () => Play.prove("vcf", app.turn()), vct: () => Play.prove("vct", app.turn()),
      cancel: () => {
        Play.giveUp();
        app.progress(null);
        app.changed();
      },
    };
    for (const [id, action] of Object.entries(actions)) on(id, action);
    byId("trouble").querySelector("button").addEventListener("click", () => app.trouble(null));
    on("overlay", () => { app.overlay = byId("overlay").value; app.save(); app.refresh(); }, "change");
    on("weighting", () => { app.weighting = byId("weighting").value; app.save(); app.refresh(); }, "change");
    on("lines", () => { if (app.job?.kind === "analyse") { Play.giveUp(); Play.step(); } }, "change");
    byId("dialog-new").querySelector("form").procedure.addEventListener("change", app.labelSeats);
    // The nodes below are drawn anew while the pointer rests on them, so the parts that stay receive its moves.
    const lines = byId("search");
    const lineUnder = ({ target }) => {
      const line = target.closest(".line");
      app.showLine(line ? [...lines.querySelectorAll(".line")].indexOf(line) : null);
    };
    for (const kind of ["pointerover", "focusin"]) lines.addEventListener(kind, lineUnder);
    for (const kind of ["pointerleave", "focusout"]) lines.addEventListener(kind, () => app.showLine(null));
    on("why", ({ target }) => app.mark(target.closest("[data-point]")?.dataset.point ?? null), "pointerover");
    on("why", () => app.mark(null), "pointerleave");
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const tab of tabs) {
      tab.addEventListener("click", () => app.tab(tab.id.slice(4)));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const shown = tabs.filter((other) => !other.hidden);
        const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
        app.tab(next.id.slice(4));
        next.focus();
        event.stopPropagation();
      });
    }
    const keys = { ",": "back", ".": "forward", Home: "first", End: "last", t: "takeback", m: "move", a: "analyse", l: "look", g: "new", "?": "help" };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
      if (event.key === "o") {
        const select = byId("overlay");
        select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
        select.dispatchEvent(new Event("change"));
      } else if (event.key === "n") toggle("numbers")();
      else if (keys[event.key] && !byId(keys[event.key]).disabled) actions[keys[event.key]]();
      else return;
      event.preventDefault();
    });
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      byId("drop").hidden = false;
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget === null && (byId("drop").hidden = true));
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      byId("drop").hidden = true;
      const file = event.dataTransfer.files[0];
      const text = file ? await file.text() : event.dataTransfer.getData("text");
      app.read(text, { ...app.settings, continuous: false, ranks: "bottom" });
    });
    setInterval(() => app.drawClocks(), 100);
  },

  start() {
    app.restore();
    app.board = new BoardView(byId("board"), {
      play: (point) => app.choose(point),
      speak: (point) => {
        const at = app.tree.moves().indexOf(point);
        const stone = app.tree.walls().has(point) ? "wall" : colorOf(at);
        const foul = app.view?.forbidden?.find(([other]) => other === point)?.[1];
        app.speak(`${app.write(point)} ${at >= 0 ? t(stone) : foul ? t("forbiddenPoint", foul) : t("empty")}`);
      },
    });
    app.translate();
    app.wire();
    app.draw();
    app.drawState();
    app.link = new Link({
      up: (hello) => {
        app.hello = hello;
        app.trouble(null);
        app.translate();
        app.job = null;
        app.changed();
      },
      down: (isFull) => {
        app.job = null;
        app.trouble(t(isFull ? "full" : "connecting"), true);
        app.drawState();
      },
      trouble: (text) => app.trouble(text),
    });
  },
};

app.start();
