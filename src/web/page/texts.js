// The texts of the page and of the reports: one row a text, English and Chinese.

const TEXTS = {
  // Tools
  newGame: ["New game", "新对局"],
  open: ["Open", "打开"],
  save: ["Save", "保存"],
  tools: ["Game", "对局"],
  otherLanguage: ["中文", "English"],
  language: ["中文: switch the language to Chinese", "English：切换为英文"],
  contrast: ["High contrast", "高对比度"],
  help: ["Help", "帮助"],
  dismiss: ["Dismiss", "关闭"],
  players: ["Players", "棋手"],
  board: ["Board", "棋盘"],
  boardHelp: ["Board: the arrow keys move the cursor, Enter plays", "棋盘：方向键移动光标，回车落子"],
  controls: ["Moves", "着法"],
  first: ["To the beginning", "到开局"],
  back: ["One move back", "后退一步"],
  forward: ["One move forward", "前进一步"],
  last: ["To the end", "到终局"],
  takeback: ["Take back", "悔棋"],
  moveNow: ["Move now", "立即落子"],
  play: ["Let it play", "引擎落子"],
  look: ["Look", "观察"],
  lookHelp: ["Look: a click shows a point instead of playing there", "观察：点击查看该点而不落子"],
  graph: ["Score of the game", "形势图"],
  progress: ["Progress", "进度"],
  cancel: ["Cancel", "取消"],
  panels: ["Panels", "面板"],
  analysis: ["Analysis", "分析"],
  points: ["Points", "点位"],
  moves: ["Moves", "棋谱"],
  games: ["Games", "棋局"],
  analyse: ["Analyse", "分析局面"],
  analyseGame: ["Whole game", "分析全局"],
  lines: ["Lines", "变化数"],
  vcfHelp: ["VCF: search for a win by continuous fours", "VCF：连续冲四胜"],
  vctHelp: ["VCT: search for a win by continuous threats", "VCT：连续进攻胜"],
  overlay: ["Show", "显示"],
  weights: ["Weights", "权值"],
  // New game
  black: ["Black", "黑方"],
  white: ["White", "白方"],
  opener: ["Opener", "开局方"],
  other: ["Second player", "另一方"],
  rule: ["Rule", "规则"],
  size: ["Size", "棋盘大小"],
  continuous: [
    "Continuous: the game goes on after a five, whose stones become walls",
    "连续对局：连五后继续，成五之子变为墙",
  ],
  continuousGame: ["continuous", "连续对局"],
  procedure: ["Opening", "开局规则"],
  perMove: ["Seconds per move", "每步秒数"],
  nodes: ["Nodes per move (0: no limit)", "每步节点数（0 不限）"],
  clock: ["Minutes per game (0: no clock)", "每局分钟（0 不计时）"],
  increment: ["Seconds added per move", "每步加秒"],
  newHelp: [
    "Seconds and nodes limit engines only. The clock runs for both players.",
    "秒数与节点数限制所有引擎；棋钟对双方有效。",
  ],
  start: ["Start", "开始"],
  human: ["You", "您"],
  search: ["Tengen, search", "Tengen 搜索"],
  mcts: ["Tengen, tree search", "Tengen 蒙特卡洛树搜索"],
  greedy: ["Tengen, {0}", "Tengen 权值 {0}"],
  // Files
  openHelp: [
    "A Piskvork game (PSQ), a match record of tengen-arena, or a list of moves. You can also drop a file on the page.",
    "Piskvork 棋谱（PSQ）、对战记录或着法列表。也可把文件拖到页面上。",
  ],
  file: ["File", "文件"],
  orMoves: ["or the moves", "或输入着法"],
  ranks: ["Ranks of these moves", "着法的行号"],
  ranksBottom: ["count from the bottom, a1 is the bottom left", "自下而上，a1 在左下角"],
  ranksTop: [
    "count from the top: Rapfi, the Gomocup judge, older versions of this board",
    "自上而下：Rapfi、Gomocup 裁判及本棋盘的旧版本",
  ],
  psqHelp: ["for Piskvork and other viewers", "供 Piskvork 等软件查看"],
  textFile: ["Text", "文本"],
  svgHelp: ["the picture, sharp at any size", "矢量图"],
  pngHelp: ["the picture in pixels", "位图"],
  exportContinuous: [
    "PSQ and text store the moves only: tick “Continuous” when you open them again. Pictures show the walls.",
    "PSQ 与文本只含着法，不注明连续对局：打开时请勾选该项。图片会显示墙。",
  ],
  close: ["Close", "关闭"],
  dropHere: ["Drop the game here", "把棋谱拖到这里"],
  // State
  toMove: ["{0} to move", "轮到{0}"],
  thinking: ["{0} is thinking", "{0}思考中"],
  won: ["{0} wins", "{0}胜"],
  draw: ["Draw", "和棋"],
  byRow: ["by a row", "连五"],
  byFoul: ["by a forbidden move: {0}", "对方禁手：{0}"],
  byTime: ["on time", "超时"],
  byFives: ["by {0} fives to {1}", "五连数 {0} 比 {1}"],
  fives: ["fives: {0}", "五连：{0}"],
  fivesOfBoth: ["fives: Black {0}, White {1}", "五连：黑 {0}，白 {1}"],
  madeFive: ["{0} makes a five", "{0}成五"],
  madeFoul: ["forbidden move, a five for {0}", "禁手，{0}得一五"],
  wall: ["wall", "墙"],
  yourTurn: ["Your move", "请您落子"],
  connecting: ["The server does not answer; trying again…", "服务器无应答，正在重试…"],
  full: [
    "The server has no room for another board. Close one and reload this page.",
    "服务器上打开的棋盘已满。请关闭一个后重新载入。",
  ],
  failed: [
    "{0} The game is paused; “Let it play” starts the engine again.",
    "{0} 对局暂停；点“引擎落子”可重新启动引擎。",
  ],
  occupied: ["{0} is taken", "{0}已被占用"],
  forbiddenPoint: ["forbidden to black: {0}", "黑方禁手：{0}"],
  empty: ["empty", "空"],
  playedAt: ["{0} plays {1}", "{0}落子 {1}"],
  openingName: ["Opening {0} {1}", "开局 {0} {1}"],
  // Analysis
  depth: ["depth", "深度"],
  nodesShort: ["nodes", "节点"],
  speed: ["nodes/s", "节点/秒"],
  time: ["time", "用时"],
  noLines: [
    "Press “Analyse” or let Tengen play: its lines appear here. Point at a line to see it on the board.",
    "点“分析局面”或让 Tengen 落子，变化会显示在这里。指向一行即可在棋盘上看到。",
  ],
  proving: ["searching {0}…", "正在寻找 {0}…"],
  proofWin: ["{0}: {1} wins in {2}", "{0}：{1}胜，{2} 步"],
  proofFive: ["{0}: {1} makes a five in {2}", "{0}：{1} {2} 步成五"],
  proofNone: ["{0}: {1} has no such win", "{0}：{1}没有此种胜法"],
  proofUnknown: ["{0}: no win of {1} found in time", "{0}：限时内{1}未找到"],
  stepBack: ["Previous", "上一步"],
  stepForward: ["Next", "下一步"],
  otherSide: ["the other side", "对方"],
  why: ["Why {0}", "为何 {0}"],
  reasonCentre: ["the centre of the empty board", "无子棋盘的天元"],
  reasonRule: ["a fixed answer", "固定应手"],
  reasonUnfinished: ["the search did not finish in time", "限时内未得出结果"],
  reasonWeights: ["the largest total, {0}", "总权值最大：{0}"],
  reasonProof: ["a proof, score {0}, {1} nodes", "已证明，评分 {0}，{1} 节点"],
  reasonSearch: ["score {0} at depth {1}, {2} nodes", "深度 {1}，评分 {0}，{2} 节点"],
  point: ["Point", "点"],
  attack: ["attack", "攻"],
  defence: ["defence", "守"],
  total: ["total", "总"],
  rank: ["rank", "名次"],
  line: ["Line", "方向"],
  windowOf: ["Window", "窗口"],
  ifPlays: ["the shape a stone makes in each line; X is black", "落子后各方向的成形；X 为黑"],
  asText: ["as explain prints it", "explain 的输出"],
  horizontal: ["horizontal", "横"],
  vertical: ["vertical", "竖"],
  diagonal: ["diagonal", "斜 ↘"],
  antidiagonal: ["antidiagonal", "斜 ↗"],
  // Overlays
  legendWeights: ["{0} of {1} for {2}, from {3} to {4}; largest at {5}", "{1} 的{0}（{2}）：{3} 至 {4}；最大 {5}"],
  pointHelp: [
    "Press “Look” and choose a point to see its four windows, the shapes of a stone there and its weights.",
    "点“观察”后选择一点：显示四个方向的窗口、成形与权值。",
  ],
  // Moves
  noMoves: ["No moves yet.", "尚未落子。"],
  turned: ["the game turned here", "形势在此逆转"],
  removeLine: ["Remove this variation", "删除此变化"],
  engineSaid: ["The engine's lines", "引擎输出"],
  win: ["{0} won", "{0}胜"],
  // Openings
  askStones: ["{0}: place {1} stones", "{0}：请落 {1} 子"],
  askStone: ["{0}: place one stone", "{0}：请落一子"],
  askOffer: ["{0}: offer {1} fifth moves", "{0}：请提供 {1} 个五手"],
  askPick: ["{0}: choose which fifth move stays", "{0}：请选择保留的五手"],
  askSwap: ["{0}: swap colors?", "{0}：是否交换？"],
  swap: ["Swap", "交换"],
  keep: ["Keep", "不交换"],
  fifths: ["Fifth moves", "五手数"],
  confirm: ["Confirm", "确定"],
  clear: ["Clear", "清除"],
  chosen: ["{0} of {1}", "{0}/{1}"],
  // Rules and procedures
  freestyle: ["Freestyle: five or more", "自由：五子或以上"],
  standard: ["Standard: exactly five", "标准：恰好五子"],
  renju: ["Renju: black has forbidden points", "连珠：黑方有禁手"],
  caro: ["Caro: exactly five, not blocked at both ends", "Caro：恰五且两端不全被堵"],
  caro_overline: ["Caro with overlines", "Caro：长连亦胜"],
  plain: ["none", "无"],
  // Shapes
  five: ["five", "五"],
  "open four": ["open four", "活四"],
  "double four": ["double four", "双四"],
  "four-three": ["four-three", "四三"],
  four: ["four", "冲四"],
  "double three": ["double three", "双三"],
  "open three": ["open three", "活三"],
  three: ["three", "眠三"],
  "open two": ["open two", "活二"],
  two: ["two", "眠二"],
  "open one": ["open one", "活一"],
  one: ["one", "眠一"],
  overline: ["overline", "长连"],
  dead: ["dead", "死"],
  // The same on the board
  "short five": ["5", "五"],
  "short open four": ["o4", "活4"],
  "short double four": ["44", "44"],
  "short four-three": ["43", "43"],
  "short four": ["4", "冲4"],
  "short double three": ["33", "33"],
  "short open three": ["o3", "活3"],
  "short three": ["3", "眠3"],
  "short open two": ["o2", "活2"],
  "short two": ["2", "眠2"],
  // Keys
  keyArrows: ["move the cursor on the board", "在棋盘上移动光标"],
  keyEnter: ["play at the cursor", "在光标处落子"],
  keyStep: ["one move back, one forward", "后退、前进一步"],
  keyEnds: ["to the beginning, to the end", "到开局、到终局"],
  keyTakeback: ["take back", "悔棋"],
  keyMove: ["let the engine play; while it thinks, make it move now", "引擎落子或立即落子"],
  keyAnalyse: ["start or stop the analysis", "开关分析"],
  keyLook: ["look at points instead of playing", "观察点位而不落子"],
  keyOverlay: ["next overlay", "下一个显示层"],
  keyNumbers: ["show or hide move numbers", "显示手数"],
  keyNew: ["new game", "新对局"],
  // Reports
  report: ["Match report", "对战报告"],
  table: ["Ratings", "等级分"],
  engine: ["Engine", "引擎"],
  elo: ["Elo", "等级分"],
  played: ["Games", "局数"],
  share: ["Points", "得分率"],
  crossTable: ["Cross table", "对阵表"],
  wdl: ["wins – draws – losses of the row", "行方 胜–和–负"],
  sprt: ["SPRT: log-likelihood ratio over the pairs", "SPRT：对数似然比"],
  byOpening: ["Score by opening", "各开局得分"],
  openingGames: ["black wins, draws, white wins", "黑胜、和、白胜"],
  timeUsed: ["Time used", "用时"],
  mean: ["mean per move", "每步平均"],
  longest: ["longest move", "最长一步"],
  perGame: ["mean per game", "每局平均"],
  replay: ["Replay", "复盘"],
  lost: ["Lost by", "负因"],
  pair: ["pair", "对"],
  result: ["Result", "结果"],
  notes: ["Remarks", "备注"],
};

// The languages by the place of their texts in a row.
const LANGUAGES = ["en", "zh"];
const HTML_LANGUAGES = { en: "en", zh: "zh-CN" };

export const otherLanguage = (language) => (language === "zh" ? "en" : "zh");

// The language of the browser, if the page has it; else English.
export function browserLanguage() {
  const wanted = (navigator.language || "en").slice(0, 2);
  return LANGUAGES.includes(wanted) ? wanted : "en";
}

// Returns t(key, ...fill): the text of a key, or of a row such as ["Black", "黑方"], with its places {0}, {1}, … filled
// in. t.number(value, digits) writes a number.
export function translator(language) {
  const place = Math.max(0, LANGUAGES.indexOf(language));
  const t = (key, ...fill) => {
    const row = Array.isArray(key) ? key : TEXTS[key];
    return row ? row[place].replace(/\{(\d)\}/g, (_, at) => fill[at] ?? "") : key;
  };
  t.number = (value, digits) =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return t;
}

// Writes the texts of the document: data-t names the content, data-t-label the name for screen readers.
export function fillTexts(t, language) {
  document.documentElement.lang = HTML_LANGUAGES[language];
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]")) {
    const text = t(node.dataset.tLabel);
    node.setAttribute("aria-label", text);
    if (node.tagName === "BUTTON") node.title = text;
  }
}
