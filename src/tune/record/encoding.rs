//! The bytes of headers and games, in the format of the module page.

use super::game::{Found, OpeningKind, Ply, SelfPlayGame, Stray, VisitShares};
use super::header::{EngineSignature, GameSettings, Header};
use crate::board::{Color, POINT_SLOTS, Point, PointSet, Rule, Size};
use crate::files::take_first;
use crate::protocol::rule_number::RuleInfo;
use crate::score::Score;
use crate::shard::Shard;
use crate::tune::Sizes;

/// The bits of a ply that hold its point.
const POINT_BITS: u16 = POINT_SLOTS as u16 - 1;

/// The bit of a ply that was searched.
const SEARCHED: u16 = 1 << 10;

/// The bit of a ply before which the position is quiet.
const QUIET: u16 = 1 << 11;

/// The bit of a ply in whose place the search found another move best.
const OTHER_BEST: u16 = 1 << 12;

/// The bit of a ply with a position off the game.
const STRAY: u16 = 1 << 13;

/// The bit of a ply whose search has counted visits.
const VISITS: u16 = 1 << 14;

/// The bit of a ply whose position off the game has visits.
const STRAY_VISITS: u16 = 1 << 15;

/// The result of a drawn game; that of another is the index of the winner.
const DRAWN: u8 = Color::ALL.len() as u8;

/// The bytes of a header.
pub(super) fn encode_header(header: &Header) -> Vec<u8> {
    let Header { settings, shard, engine } = header;
    let mut bytes = vec![RuleInfo::from(settings.rule).number()];
    let numbers = [settings.nodes.get(), settings.seed, shard.index as u64, shard.count as u64];
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(engine.0.to_le_bytes());
    bytes.extend(settings.sizes.shares());
    bytes
}

/// The header with these bytes; `None` if they are not a header.
pub(super) fn decode_header(bytes: &[u8]) -> Option<Header> {
    let mut bytes = Bytes(bytes);
    let rule = bytes.u8()?;
    let rule = Rule::ALL.into_iter().find(|known| RuleInfo::from(*known).number() == rule)?;
    let (nodes, seed) = (bytes.u64()?.try_into().ok()?, bytes.u64()?);
    let (index, count) = (usize::try_from(bytes.u64()?).ok()?, usize::try_from(bytes.u64()?).ok()?);
    let engine = EngineSignature(bytes.u32()?);
    let sizes = Sizes::from_shares(bytes.take()?)?;
    let is_whole = bytes.0.is_empty() && index < count;
    let header = Header { settings: GameSettings { rule, sizes, nodes, seed }, shard: Shard { index, count }, engine };
    is_whole.then_some(header)
}

/// The bytes of a game.
pub(super) fn encode_game(game: &SelfPlayGame) -> Vec<u8> {
    let mut bytes = game.number.to_le_bytes().to_vec();
    let opening = OpeningKind::ALL.iter().position(|&kind| kind == game.opening).unwrap_or_default();
    bytes.extend([game.size.side(), game.winner.map_or(DRAWN, |color| color.index() as u8), opening as u8]);
    bytes.extend(game.opening_plies.to_le_bytes());
    game.plies.iter().for_each(|ply| push_ply(&mut bytes, ply));
    bytes
}

fn push_ply(bytes: &mut Vec<u8>, ply: &Ply) {
    let mut flags = 0;
    let mut rest = Vec::with_capacity(10);
    let mut push = |number: u16| rest.extend(number.to_le_bytes());
    if let Some(Found { best, score, is_quiet, visits }) = ply.found {
        flags |= SEARCHED | if is_quiet { QUIET } else { 0 };
        push(score_bits(score));
        if best != ply.point {
            flags |= OTHER_BEST;
            push(point_bits(best));
        }
        flags |= push_visits(&mut rest, &visits, VISITS);
    }
    if let Some(Stray { point, best, score, visits }) = ply.stray {
        flags |= STRAY;
        [point_bits(point), point_bits(best), score_bits(score)].iter().for_each(|n| rest.extend(n.to_le_bytes()));
        flags |= push_visits(&mut rest, &visits, STRAY_VISITS);
    }
    bytes.extend((point_bits(ply.point) | flags).to_le_bytes());
    bytes.extend(rest);
}

/// Writes the visits, if there are any, and returns the flag for them.
fn push_visits(bytes: &mut Vec<u8>, visits: &VisitShares, flag: u16) -> u16 {
    if visits.is_empty() {
        return 0;
    }
    bytes.push(visits.iter().count() as u8);
    for (point, share) in visits.iter() {
        bytes.extend(point_bits(point).to_le_bytes());
        bytes.push(share);
    }
    flag
}

const fn point_bits(point: Point) -> u16 {
    point.index() as u16
}

/// A score as 16 bits: every score of a search fits.
fn score_bits(score: Score) -> u16 {
    score.value().clamp(i16::MIN.into(), i16::MAX.into()) as u16
}

/// Decodes a game. `None` if the bytes do not encode one, a stone cannot be played, or a best move is not on an empty
/// point. Forbidden moves and the end of the game are not checked.
pub(super) fn decode_game(bytes: &[u8]) -> Option<SelfPlayGame> {
    let mut bytes = Bytes(bytes);
    let number = bytes.u32()?;
    let size = Size::new(bytes.u8()?)?;
    let result = bytes.u8()?;
    let winner = Color::ALL.get(usize::from(result)).copied();
    let opening = *OpeningKind::ALL.get(usize::from(bytes.u8()?))?;
    let opening_plies = bytes.u16()?;
    let mut plies = Vec::new();
    let mut empty = PointSet::all(size);
    while !bytes.0.is_empty() {
        let ply = bytes.ply(&empty)?;
        empty.remove(ply.point);
        plies.push(ply);
    }
    let is_game = (winner.is_some() || result == DRAWN) && usize::from(opening_plies) <= plies.len();
    is_game.then_some(SelfPlayGame { number, size, winner, opening, opening_plies, plies })
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        take_first(&mut self.0)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn score(&mut self) -> Option<Score> {
        self.take().map(|bytes| Score::from_value(i16::from_le_bytes(bytes).into()))
    }

    /// A point out of these.
    fn point_of(&mut self, points: &PointSet) -> Option<Point> {
        Point::from_index(self.u16()?.into()).filter(|&point| points.contains(point))
    }

    /// Decodes a ply played on one of these empty points.
    fn ply(&mut self, empty: &PointSet) -> Option<Ply> {
        let first = self.u16()?;
        let has = |flag| first & flag != 0;
        let point = Point::from_index((first & POINT_BITS).into()).filter(|&point| empty.contains(point))?;
        // Only a searched ply can be a sample.
        let is_search = has(QUIET) || has(OTHER_BEST) || has(VISITS);
        if is_search && !has(SEARCHED) || has(STRAY_VISITS) && !has(STRAY) {
            return None;
        }
        let mut found = None;
        if has(SEARCHED) {
            let score = self.score()?;
            let best = if has(OTHER_BEST) { self.point_of(empty)? } else { point };
            let visits = if has(VISITS) { self.visits(empty)? } else { VisitShares::default() };
            found = Some(Found { best, score, visits, is_quiet: has(QUIET) });
        }
        let stray = if has(STRAY) { Some(self.stray(*empty, has(STRAY_VISITS))?) } else { None };
        Some(Ply { point, found, stray })
    }

    /// A position off the game before which these points are empty.
    fn stray(&mut self, mut empty: PointSet, has_visits: bool) -> Option<Stray> {
        let point = self.point_of(&empty)?;
        empty.remove(point);
        let (best, score) = (self.point_of(&empty)?, self.score()?);
        let visits = if has_visits { self.visits(&empty)? } else { VisitShares::default() };
        Some(Stray { point, best, score, visits })
    }

    /// Visits of moves on these points.
    fn visits(&mut self, empty: &PointSet) -> Option<VisitShares> {
        let count = usize::from(self.u8()?);
        let shares = (0..count).map(|_| Some((self.point_of(empty)?, self.u8()?))).collect::<Option<Vec<_>>>()?;
        (1..=VisitShares::MOST).contains(&count).then(|| shares.into_iter().collect())
    }
}
