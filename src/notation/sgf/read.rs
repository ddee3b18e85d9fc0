//! [`read_sgf`]: games in SGF as trees.

use super::syntax::{Fault, Scanner, Token, Value, line, text};
use super::{LAST_WITH_TT, SIGNS, SgfError, SgfProblem};
use crate::board::{Color, POINT_SLOTS, Point, PointSet, Size};
use crate::notation::{Chance, Decoded, GameInfo, GameTree, NodeId, NodeScore, Step, TextEncoding};

/// The side of the board of Go, which `GM[1]` without a size names.
const GO: Size = match Size::new(19) {
    Some(size) => size,
    None => unreachable!(),
};

/// Points that the rectangles of a file may have in all: four thousand whole boards of 15 x 15. Seven bytes can name a
/// thousand points, so that a small file could fill the memory.
const MOST_RECTANGLE_POINTS: usize = 1_000_000;

/// The most nodes in this number of bytes. A node takes a hundred times the memory of its semicolon, and a move at least
/// four bytes: a small file of semicolons could fill the memory.
fn most_nodes(bytes: usize) -> usize {
    GameTree::MOST_NODES.min(200_000 + bytes / 4)
}

/// Bytes of a file in which its character set is looked for.
const HEAD: usize = 1 << 16;

/// Reads the games of a file. See the [module](super) for what becomes of each property.
///
/// The stones of moves stand on empty points, as setups and earlier moves leave them.
///
/// ```
/// use tengen::notation::{read_sgf, write_sgf};
///
/// let trees = read_sgf(b"(;GM[4]SZ[15];B[hh](;W[hg])(;W[ig]))")?;
/// assert_eq!((trees.len(), trees[0].len()), (1, 4));
/// assert_eq!(read_sgf(write_sgf(&trees).as_bytes())?, trees);
/// # Ok::<(), tengen::notation::SgfError>(())
/// ```
///
/// # Errors
/// When the file holds no game, leaves a bracket open, sets an unsupported board size, or names a point outside the board
/// or a move onto a stone. Also when its games have more nodes than [`GameTree::MOST_NODES`], or than 200,000 plus one
/// for every four bytes.
pub fn read_sgf(bytes: &[u8]) -> Result<Vec<GameTree>, SgfError> {
    read_sgf_in(bytes, None)
}

/// Reads the games of a file as [`read_sgf`], whose texts are in this encoding, whatever the file declares.
///
/// # Errors
/// As those of [`read_sgf`].
pub fn read_sgf_in(bytes: &[u8], encoding: Option<TextEncoding>) -> Result<Vec<GameTree>, SgfError> {
    let declared = encoding.map(|encoding| encoding.to_string()).or_else(|| declared_set(bytes));
    let most_nodes = most_nodes(bytes.len());
    let decoded = Decoded::read(bytes, declared.as_deref());
    // GBK is only a guess here, and may have joined an accented letter with the `]` after it. Text that really is GBK does
    // not parse as Windows-1252: the `]` within a character closes its value too early.
    if declared.is_none() && decoded.is_gbk() && Decoded::gbk_hides_bracket(bytes) {
        if let Ok(games) = read_games(&Decoded::western(bytes).text, most_nodes) {
            return Ok(games);
        }
    }
    let games = read_games(&decoded.text, most_nodes);
    games.map_err(|(at, problem)| SgfError { byte: decoded.byte_at(at), problem })
}

/// Reads the games of a text as [`read_sgf`] those of a file, with at most this number of nodes: a node takes a hundred
/// times the memory of its semicolon. A program that only calls this one contains no tables of character sets.
///
/// # Errors
/// As those of [`read_sgf`].
pub fn read_sgf_text(text: &str, most_nodes: usize) -> Result<Vec<GameTree>, SgfError> {
    read_games(text, most_nodes).map_err(|(byte, problem)| SgfError { byte, problem })
}

fn read_games(text: &str, most_nodes: usize) -> Result<Vec<GameTree>, Fault> {
    let mut scanner = Scanner::new(text);
    let (mut trees, mut budget) = (Vec::new(), Budget { most_nodes, nodes: 0, points: 0 });
    while let Some(start) = scanner.next_game() {
        trees.push(read_game(&mut scanner, start, &mut budget)?);
    }
    if trees.is_empty() { Err((0, SgfProblem::NoGame)) } else { Ok(trees) }
}

/// The character set that the file declares.
fn declared_set(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let is_start = |at: usize| at == 0 || !head[at - 1].is_ascii_uppercase();
    let place = head.windows(3).enumerate().find(|&(at, word)| word == b"CA[" && is_start(at))?.0;
    let label = head[place + 3..].split(|&byte| byte == b']').next()?;
    String::from_utf8(label.to_vec()).ok()
}

/// Nodes and points that the games of a file have used so far.
struct Budget {
    most_nodes: usize,
    nodes: usize,
    /// Points of rectangles.
    points: usize,
}

/// Reads the game whose first bracket, at `start`, the scanner has passed.
fn read_game(scanner: &mut Scanner<'_>, start: usize, budget: &mut Budget) -> Result<GameTree, Fault> {
    let mut values = Vec::new();
    // The scanner has seen the semicolon of the root.
    scanner.next()?;
    scanner.read_values(&mut values)?;
    let mut game = Game::new(&values, budget)?;
    // The node before each open variation, and the number of changes to its stones.
    let mut open = Vec::new();
    loop {
        match scanner.next()?.ok_or((start, SgfProblem::OpenGame))? {
            Token::Node => {
                scanner.read_values(&mut values)?;
                game.read_node(&values, false, budget)?;
            }
            Token::Open => open.push((game.here, game.stones.changes.len())),
            Token::Close => match open.pop() {
                Some((node, changes)) => {
                    game.here = node;
                    game.stones.undo_to(changes);
                }
                None => {
                    label_children(&mut game.tree);
                    return Ok(game.tree);
                }
            },
        }
    }
}

/// The stones at a node, and what to undo for the position of an earlier one.
struct Stones {
    at: Box<[Option<Color>; POINT_SLOTS]>,
    /// Each changed point with what stood on it before.
    changes: Vec<(Point, Option<Color>)>,
}

impl Stones {
    fn set(&mut self, point: Point, color: Option<Color>) {
        self.changes.push((point, std::mem::replace(&mut self.at[point.index()], color)));
    }

    fn undo_to(&mut self, count: usize) {
        for (point, before) in self.changes.drain(count..).rev() {
            self.at[point.index()] = before;
        }
    }
}

/// A game that is being read.
struct Game {
    tree: GameTree,
    here: NodeId,
    stones: Stones,
}

/// The values of a node of the file.
#[derive(Default)]
struct NodeValues {
    setup: Vec<(Point, Option<Color>)>,
    /// Moves, passes among them, with their places in the text.
    moves: Vec<(Color, Option<Point>, usize)>,
    name: String,
    comment: String,
    marks: Vec<(Point, Box<str>)>,
    chance: Option<NodeScore>,
    win: Option<NodeScore>,
}

impl Game {
    /// A game with its first node.
    fn new(values: &[Value<'_>], budget: &mut Budget) -> Result<Self, Fault> {
        let stones = Stones { at: Box::new([None; POINT_SLOTS]), changes: Vec::new() };
        let mut game = Self { tree: GameTree::new(size_of(values)?), here: NodeId::ROOT, stones };
        game.tree.info = info_of(values);
        game.read_node(values, true, budget)?;
        Ok(game)
    }

    /// Adds the nodes for a node of the file: one for its setup, one for each of its moves. Comments and labels go to the
    /// last one, whose position they describe.
    fn read_node(&mut self, values: &[Value<'_>], is_root: bool, budget: &mut Budget) -> Result<(), Fault> {
        let at = values.first().map_or(0, |value| value.at);
        let NodeValues { setup, moves, name, comment, marks, chance, win } =
            node_values(values, self.tree.size(), budget)?;
        setup.iter().for_each(|&(point, color)| self.stones.set(point, color));
        if is_root {
            budget.take_node(at)?;
            self.tree.node_mut(NodeId::ROOT).step = Step::Setup(setup);
        } else if !setup.is_empty() || moves.is_empty() {
            self.add(Step::Setup(setup), at, budget)?;
        }
        for (color, point, at) in moves {
            let Some(point) = point else {
                self.add(Step::Pass(color), at, budget)?;
                continue;
            };
            if self.stones.at[point.index()].is_some() {
                return Err((at, SgfProblem::Occupied(pair(point))));
            }
            self.stones.set(point, Some(color));
            self.add(Step::Play(color, point), at, budget)?;
        }
        let node = self.tree.node_mut(self.here);
        let end = if name.is_empty() || comment.is_empty() { "" } else { "\n" };
        node.comment = format!("{name}{end}{comment}").into();
        node.marks = marks;
        node.score = win.or(chance);
        Ok(())
    }

    fn add(&mut self, step: Step, at: usize, budget: &mut Budget) -> Result<(), Fault> {
        budget.take_node(at)?;
        self.here = self.tree.add(self.here, step);
        Ok(())
    }
}

impl Budget {
    fn take_node(&mut self, at: usize) -> Result<(), Fault> {
        self.nodes += 1;
        if self.nodes > self.most_nodes { Err((at, SgfProblem::TooManyNodes)) } else { Ok(()) }
    }
}

/// The letters of a point.
pub(super) fn pair(point: Point) -> String {
    let letter = |number: u8| char::from(if number < 26 { b'a' + number } else { b'A' + (number - 26) });
    [letter(point.x()), letter(point.y())].into_iter().collect()
}

/// The point with these letters.
fn point_of(text: &str, size: Size) -> Option<Point> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    };
    match *text.as_bytes() {
        [x, y] => size.point(number(x)?, number(y)?),
        _ => None,
    }
}

/// The size in the values of a root.
fn size_of(values: &[Value<'_>]) -> Result<Size, Fault> {
    let find = |name: &str| values.iter().find(|value| value.name.as_str() == name && !value.raw.trim().is_empty());
    let Some(value) = find("SZ") else {
        return Ok(if find("GM").is_some_and(|game| game.raw.trim() == "1") { GO } else { Size::FIFTEEN });
    };
    let raw = value.raw.trim();
    let (width, height) = raw.split_once(':').unwrap_or((raw, raw));
    match width.trim().parse() {
        Ok(size) if width.trim() == height.trim() => Ok(size),
        _ => Err((value.at, SgfProblem::Size(raw.to_owned()))),
    }
}

/// The description of the game in the root.
fn info_of(values: &[Value<'_>]) -> GameInfo {
    let of = |name: &str| values.iter().find(|value| value.name.as_str() == name).map(|value| line(value.raw));
    GameInfo {
        players: [of("PB"), of("PW")].map(Option::unwrap_or_default),
        result: of("RE").unwrap_or_default(),
        date: of("DT").unwrap_or_default(),
        event: of("EV").filter(|event| !event.is_empty()).or_else(|| of("GN")).unwrap_or_default(),
        rule: of("RU").unwrap_or_default(),
    }
}

fn node_values(values: &[Value<'_>], size: Size, budget: &mut Budget) -> Result<NodeValues, Fault> {
    let mut node = NodeValues::default();
    for value in values {
        match value.name.as_str() {
            "AB" => add_stones(&mut node.setup, Some(Color::Black), value, size, budget)?,
            "AW" => add_stones(&mut node.setup, Some(Color::White), value, size, budget)?,
            "AE" => add_stones(&mut node.setup, None, value, size, budget)?,
            "B" => node.moves.push((Color::Black, move_of(value, size)?, value.at)),
            "W" => node.moves.push((Color::White, move_of(value, size)?, value.at)),
            "C" => {
                if !node.comment.is_empty() {
                    node.comment.push('\n');
                }
                node.comment.push_str(&text(value.raw));
            }
            "N" => node.name = line(value.raw),
            "SBKV" => node.chance = chance_of(value.raw),
            "WIN" => node.win = win_of(value.raw),
            "LB" => {
                let (point, label) = value.raw.split_once(':').unwrap_or((value.raw, ""));
                let label = line(label);
                if !label.is_empty() {
                    node.marks.push((one_point(point, value, size)?, label.into()));
                }
            }
            name => {
                if let Some((_, sign)) = SIGNS.iter().find(|(own, _)| *own == name) {
                    let points = points_of(value, size, budget)?;
                    node.marks.extend(points.into_iter().map(|point| (point, Box::from(*sign))));
                }
            }
        }
    }
    Ok(node)
}

/// Black's chance from its per cent; `None` if the value is not a number from 0 to 100.
fn chance_of(raw: &str) -> Option<NodeScore> {
    let percent: f64 = raw.trim().parse().ok()?;
    Chance::from_share(percent / 100.0).map(NodeScore::Chance)
}

/// The winner, and its number of moves if the value has one: `B+5`, `B`. `None` if the value is neither.
fn win_of(raw: &str) -> Option<NodeScore> {
    let (winner, moves) = match raw.trim().split_once('+') {
        Some((winner, moves)) => (winner, Some(moves.parse().ok()?)),
        None => (raw.trim(), None),
    };
    match winner {
        "B" => Some(NodeScore::Win(Color::Black, moves)),
        "W" => Some(NodeScore::Win(Color::White, moves)),
        _ => None,
    }
}

fn add_stones(
    stones: &mut Vec<(Point, Option<Color>)>,
    color: Option<Color>,
    value: &Value<'_>,
    size: Size,
    budget: &mut Budget,
) -> Result<(), Fault> {
    let points = points_of(value, size, budget)?;
    // If several properties name a point, the last one applies. The writer groups the properties, so only it is kept.
    let changed: PointSet = points.iter().copied().collect();
    stones.retain(|(point, _)| !changed.contains(*point));
    stones.extend(points.into_iter().map(|point| (point, color)));
    Ok(())
}

/// The point of a move; `None` for a pass.
fn move_of(value: &Value<'_>, size: Size) -> Result<Option<Point>, Fault> {
    match value.raw.trim() {
        "" => Ok(None),
        "tt" if size.side() <= LAST_WITH_TT => Ok(None),
        text => one_point(text, value, size).map(Some),
    }
}

fn one_point(text: &str, value: &Value<'_>, size: Size) -> Result<Point, Fault> {
    point_of(text.trim(), size).ok_or_else(|| (value.at, SgfProblem::Point(text.to_owned())))
}

/// A point, or those of a rectangle; none if the value is empty.
fn points_of(value: &Value<'_>, size: Size, budget: &mut Budget) -> Result<Vec<Point>, Fault> {
    let raw = value.raw.trim();
    let Some((first, last)) = raw.split_once(':') else {
        return if raw.is_empty() { Ok(Vec::new()) } else { Ok(vec![one_point(raw, value, size)?]) };
    };
    let (first, last) = (one_point(first, value, size)?, one_point(last, value, size)?);
    let between = |a: u8, b: u8| a.min(b)..=a.max(b);
    let rows = between(first.y(), last.y());
    let points: Vec<_> =
        rows.flat_map(|y| between(first.x(), last.x()).filter_map(move |x| size.point(x, y))).collect();
    budget.points += points.len();
    if budget.points > MOST_RECTANGLE_POINTS { Err((value.at, SgfProblem::TooManyPoints)) } else { Ok(points) }
}

/// Moves marks on the points of children to the children: the first mark of a point to the first child there.
fn label_children(tree: &mut GameTree) {
    let mut child_at = vec![None; POINT_SLOTS];
    let nodes: Vec<_> = tree.depth_first().filter(|&id| !tree.node(id).marks.is_empty()).collect();
    for id in nodes {
        let children: Vec<_> = tree.children(id).collect();
        for &child in children.iter().rev() {
            if let Step::Play(_, point) = tree.node(child).step {
                child_at[point.index()] = Some(child);
            }
        }
        let marks = std::mem::take(&mut tree.node_mut(id).marks);
        let mut rest = Vec::new();
        for (point, label) in marks {
            match child_at[point.index()].take() {
                Some(child) => tree.node_mut(child).label = label,
                None => rest.push((point, label)),
            }
        }
        tree.node_mut(id).marks = rest;
        for &child in &children {
            if let Step::Play(_, point) = tree.node(child).step {
                child_at[point.index()] = None;
            }
        }
    }
}
