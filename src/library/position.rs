//! [`Cursor`]: a position on a walk through moves, and its [`Address`] in a library.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::LazyLock;

use arrayvec::ArrayVec;

use crate::board::{Board, ByColor, Color, POINT_SLOTS, Point, Rule, Size, Symmetry};
use crate::rng::Rng;

/// Seed of the codes of stones. Files of libraries depend on it.
const SEED: u64 = 0x5445_4E47_454E_0002;

/// The symmetries of a square.
pub(super) const SYMMETRIES: usize = 8;

/// A code of 128 random bits for a stone of each color on each point, and for white to move.
static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let mut rng = Rng::new(SEED);
    let mut code = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
    let white_to_move = code();
    Codes { stones: ByColor([(); 2].map(|()| (0..POINT_SLOTS).map(|_| code()).collect())), white_to_move }
});

struct Codes {
    stones: ByColor<Box<[u128]>>,
    white_to_move: u128,
}

/// A move of a game: a stone, or a pass.
pub type Move = Option<Point>;

/// The part of a [`PositionKey`] that distinguishes positions of one rule and size.
pub type PositionHash = [u8; PositionKey::HASH_BYTES];

/// The key of a position and all its images under the eight symmetries.
///
/// ```text
/// rule, size, number of stones (2 bytes, big endian), 96 bits of the hash of stones and side to move
/// ```
///
/// Keys of a rule and size are in the order of their number of stones, so a scan meets parents before children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PositionKey([u8; Self::BYTES]);

/// Hashes a part of the key that is a hash itself, for the maps of this crate.
impl Hash for PositionKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [.., a, b, c, d, e, f, g, h] = self.0;
        state.write_u64(u64::from_ne_bytes([a, b, c, d, e, f, g, h]));
    }
}

/// A map from positions. Their keys need no further hashing.
pub(super) type KeyMap<V> = HashMap<PositionKey, V, BuildHasherDefault<KeyHasher>>;

/// A set of positions, see [`KeyMap`].
pub(super) type KeySet = HashSet<PositionKey, BuildHasherDefault<KeyHasher>>;

/// The hash of a word is the word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl PositionKey {
    /// Bytes of a key.
    pub const BYTES: usize = 16;

    /// Bytes of the hash at its end.
    pub const HASH_BYTES: usize = 12;

    /// The key with these bytes.
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes, in the order by which a store sorts them.
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// The hash of the stones and the side to move.
    pub(crate) fn position_hash(&self) -> PositionHash {
        std::array::from_fn(|place| self.0[Self::BYTES - Self::HASH_BYTES + place])
    }

    /// The number of stones.
    pub const fn stone_count(&self) -> usize {
        u16::from_be_bytes([self.0[2], self.0[3]]) as usize
    }

    /// The first bytes of all keys of a rule and size.
    pub const fn prefix(rule: Rule, size: Size) -> [u8; 2] {
        [rule.index() as u8, size.side()]
    }

    /// The rule and the size; `None` if the bytes are not those of a key.
    pub fn game(&self) -> Option<(Rule, Size)> {
        Some((*Rule::ALL.get(usize::from(self.0[0]))?, Size::new(self.0[1])?))
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The place of a position in a library: its key, and how the board lies to the stored position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    key: PositionKey,
    size: Size,
    /// The symmetries that map the board to the stored position: several if the position is symmetric.
    symmetries: ArrayVec<Symmetry, SYMMETRIES>,
}

impl Address {
    /// The key.
    pub const fn key(&self) -> PositionKey {
        self.key
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The stored point for a point of the board. Points that are images of each other under a symmetry of the position
    /// have one stored point.
    pub fn store(&self, point: Point) -> Point {
        let images = self.symmetries.iter().map(|symmetry| symmetry.apply(point, self.size));
        images.min().unwrap_or(point)
    }

    /// The points of the board for a stored point, in ascending order: several if the position is symmetric.
    pub fn restore(&self, stored: Point) -> ArrayVec<Point, SYMMETRIES> {
        let mut points: ArrayVec<Point, SYMMETRIES> = ArrayVec::new();
        for symmetry in &self.symmetries {
            let point = symmetry.inverse().apply(stored, self.size);
            if let Err(place) = points.binary_search(&point) {
                points.insert(place, point);
            }
        }
        points
    }
}

/// Stones in the orientation of a library: those of each color in ascending order, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones {
    /// The rule of the game.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The side to move.
    pub turn: Color,
    /// The stones of each color, in ascending order.
    pub points: ByColor<Vec<Point>>,
}

/// A position that moves are played on and taken back from. It updates the hashes of all eight images, so the
/// [`Address`] of a position after a move costs a few dozen nanoseconds.
///
/// ```
/// use tengen::board::{Rule, Size};
/// use tengen::library::Cursor;
///
/// let point = |x, y| Size::FIFTEEN.point(x, y);
/// let key = |moves: &[_]| {
///     let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
///     moves.iter().for_each(|&played| cursor.play(played));
///     cursor.key()
/// };
/// assert_eq!(key(&[point(7, 7), point(8, 7)]), key(&[point(7, 7), point(7, 6)]));
/// assert_ne!(key(&[point(7, 7), point(8, 7)]), key(&[point(7, 7), point(8, 8)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    rule: Rule,
    size: Size,
    turn: Color,
    stones: Vec<(Color, Point)>,
    /// Moves that [`undo`](Self::undo) takes back.
    line: Vec<Move>,
    hashes: [u128; SYMMETRIES],
}

impl Cursor {
    /// The empty board; black is to move.
    pub fn new(rule: Rule, size: Size) -> Self {
        Self { rule, size, turn: Color::Black, stones: Vec::new(), line: Vec::new(), hashes: [0; SYMMETRIES] }
    }

    /// The position of a board. Walls are left out: a library holds none.
    pub fn from_board(board: &Board) -> Self {
        let mut cursor = Self::new(board.rule(), board.size());
        for color in Color::ALL {
            board.stones(color).iter().for_each(|point| cursor.place(color, point));
        }
        cursor.turn = board.turn();
        cursor
    }

    /// The position of stored stones.
    pub(crate) fn from_stones(stones: &Stones) -> Self {
        let mut cursor = Self::new(stones.rule, stones.size);
        for color in Color::ALL {
            stones.points[color].iter().for_each(|&point| cursor.place(color, point));
        }
        cursor.turn = stones.turn;
        cursor
    }

    /// The rule of the game.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the side to move.
    pub const fn set_turn(&mut self, color: Color) {
        self.turn = color;
    }

    /// The stones in the order in which they were placed.
    pub fn stones(&self) -> &[(Color, Point)] {
        &self.stones
    }

    /// The board with these stones.
    pub fn board(&self) -> Board {
        let mut board = Board::new(self.size, self.rule);
        self.stones.iter().for_each(|&(color, point)| board.place(point, color));
        board.set_turn(self.turn);
        board
    }

    /// Whether a point has no stone.
    pub fn is_empty(&self, point: Point) -> bool {
        self.stones.iter().all(|&(_, stone)| stone != point)
    }

    /// Places a stone on an empty point. The side to move stays.
    pub fn place(&mut self, color: Color, point: Point) {
        self.stones.push((color, point));
        self.toggle(color, point);
    }

    /// Takes the stone off a point. The side to move stays. Returns its color if there was one.
    pub fn take(&mut self, point: Point) -> Option<Color> {
        let place = self.stones.iter().position(|&(_, stone)| stone == point)?;
        let (color, _) = self.stones.remove(place);
        self.toggle(color, point);
        Some(color)
    }

    /// Plays a move: a stone on an empty point, or a pass.
    pub fn play(&mut self, played: Move) {
        if let Some(point) = played {
            self.place(self.turn, point);
        }
        self.line.push(played);
        self.turn = !self.turn;
    }

    /// Takes back the last move that was played. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(played) = self.line.pop() else { return false };
        if let Some(point) = played {
            self.take(point);
        }
        self.turn = !self.turn;
        true
    }

    fn toggle(&mut self, color: Color, point: Point) {
        for (hash, symmetry) in self.hashes.iter_mut().zip(Symmetry::all()) {
            *hash ^= CODES.stones[color][symmetry.apply(point, self.size).index()];
        }
    }

    /// The key of this position.
    pub fn key(&self) -> PositionKey {
        self.key_of(self.hashes.iter().copied(), self.turn, self.stones.len())
    }

    /// The key of the position after a move.
    pub fn key_after(&self, played: Move) -> PositionKey {
        match played {
            None => self.key_of(self.hashes.iter().copied(), !self.turn, self.stones.len()),
            Some(point) => self.key_of(self.hashes_with(self.turn, point), !self.turn, self.stones.len() + 1),
        }
    }

    /// The key of the position before the other side played this point, on which it has a stone.
    pub(crate) fn key_before(&self, point: Point) -> PositionKey {
        self.key_of(self.hashes_with(!self.turn, point), !self.turn, self.stones.len() - 1)
    }

    /// The address of the position before the other side played this point, on which it has a stone.
    pub(crate) fn address_before(&self, point: Point) -> Address {
        let mut hashes = self.hashes;
        hashes.iter_mut().zip(self.hashes_with(!self.turn, point)).for_each(|(hash, before)| *hash = before);
        self.address_of(&hashes, self.key_before(point))
    }

    /// The hashes with a stone added, or taken off.
    fn hashes_with(&self, color: Color, point: Point) -> impl Iterator<Item = u128> {
        let codes = &CODES.stones[color];
        let images = Symmetry::all().map(move |symmetry| codes[symmetry.apply(point, self.size).index()]);
        self.hashes.iter().zip(images).map(|(hash, code)| hash ^ code)
    }

    fn key_of(&self, hashes: impl Iterator<Item = u128>, turn: Color, stones: usize) -> PositionKey {
        let hash = hashes.min().unwrap_or_default();
        let hash = match turn {
            Color::Black => hash,
            Color::White => hash ^ CODES.white_to_move,
        };
        let mut bytes = [0; PositionKey::BYTES];
        bytes[..2].copy_from_slice(&PositionKey::prefix(self.rule, self.size));
        bytes[2..4].copy_from_slice(&(stones as u16).to_be_bytes());
        bytes[4..].copy_from_slice(&hash.to_be_bytes()[4..]);
        PositionKey(bytes)
    }

    /// The address of this position.
    pub fn address(&self) -> Address {
        self.address_of(&self.hashes, self.key())
    }

    fn address_of(&self, hashes: &[u128; SYMMETRIES], key: PositionKey) -> Address {
        let least = hashes.iter().min().copied().unwrap_or_default();
        let symmetries = Symmetry::all().zip(hashes).filter(|(_, hash)| **hash == least);
        Address { key, size: self.size, symmetries: symmetries.map(|(symmetry, _)| symmetry).collect() }
    }

    /// The stones in the orientation of a library.
    pub(crate) fn stored_stones(&self, address: &Address) -> Stones {
        // Each symmetry of the address gives the same stones.
        let symmetry = address.symmetries.first().copied().unwrap_or_else(Symmetry::identity);
        let mut points = ByColor::<Vec<Point>>::default();
        for &(color, point) in &self.stones {
            points[color].push(symmetry.apply(point, self.size));
        }
        points.0.iter_mut().for_each(|points| points.sort_unstable());
        Stones { rule: self.rule, size: self.size, turn: self.turn, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A random position on a small board, where symmetric positions are frequent.
    fn random(rng: &mut Rng) -> Cursor {
        let size = Size::new(5 + rng.below(4) as u8).unwrap();
        let mut cursor = Cursor::new(Rule::ALL[rng.below(Rule::ALL.len())], size);
        for _ in 0..rng.below(6) {
            let point = size.points().nth(rng.below(size.area())).unwrap();
            let is_pass = rng.below(8) == 0;
            if cursor.is_empty(point) {
                cursor.play((!is_pass).then_some(point));
            }
        }
        cursor
    }

    fn image(cursor: &Cursor, symmetry: Symmetry) -> Cursor {
        let mut image = Cursor::new(cursor.rule(), cursor.size());
        for &(color, point) in cursor.stones() {
            image.place(color, symmetry.apply(point, cursor.size()));
        }
        image.set_turn(cursor.turn());
        image
    }

    #[test]
    fn all_images_of_a_position_share_an_address_and_its_stored_stones() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let cursor = random(&mut rng);
            let address = cursor.address();
            let stones = cursor.stored_stones(&address);
            assert_eq!(address.key(), cursor.key());
            assert_eq!(address.key().game(), Some((cursor.rule(), cursor.size())));
            assert_eq!(address.key().stone_count(), cursor.stones().len());
            assert_eq!(Cursor::from_stones(&stones).key(), address.key());
            for symmetry in Symmetry::all() {
                let image = image(&cursor, symmetry);
                assert_eq!(image.key(), cursor.key());
                assert_eq!(image.stored_stones(&image.address()), stones);
            }
        }
    }

    #[test]
    fn a_point_has_one_stored_point_for_all_images_and_comes_back_as_all_of_them() {
        let mut rng = Rng::new(2);
        for _ in 0..300 {
            let cursor = random(&mut rng);
            let address = cursor.address();
            for point in cursor.size().points() {
                let stored = address.store(point);
                let points = address.restore(stored);
                assert!(points.contains(&point));
                for &other in &points {
                    assert_eq!(address.store(other), stored);
                    if cursor.is_empty(point) {
                        assert_eq!(cursor.key_after(Some(other)), cursor.key_after(Some(point)));
                    }
                }
            }
        }
    }

    #[test]
    fn keys_before_and_after_a_move_are_those_of_the_positions() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let mut cursor = random(&mut rng);
            let (before, address) = (cursor.key(), cursor.address());
            for played in cursor.size().points().map(Some).chain([None]) {
                if played.is_some_and(|point| !cursor.is_empty(point)) {
                    continue;
                }
                let after = cursor.key_after(played);
                cursor.play(played);
                assert_eq!(cursor.key(), after);
                assert_ne!(after, before);
                if let Some(point) = played {
                    assert_eq!(cursor.key_before(point), before);
                    assert_eq!(cursor.address_before(point), address);
                }
                cursor.undo();
                assert_eq!(cursor.key(), before);
            }
        }
    }
}
