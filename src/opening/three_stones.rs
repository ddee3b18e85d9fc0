//! Three stones that open a game under procedures that allow any three.

use super::{Stones, lists};
use crate::board::{Point, Rule, Size};
use crate::notation::Letters;

/// The stones of an opening as steps from a corner, (x, y): black, white, black.
///
/// The stones lie near a corner. Black has two against one, but white moves next, and the edge costs black's rows about
/// as much as the second stone gives them. They fit every board.
///
/// ```text
///    a b c d e f
/// 15 . . . . . .
/// 14 . X . . O .
/// 13 . . . . X .
/// ```
const CORNER: [(u8, u8); 3] = [(1, 1), (4, 1), (4, 2)];

/// Three stones that open a game without any knowledge of the rule.
pub fn anywhere(size: Size) -> Option<Stones> {
    CORNER.iter().map(|&(x, y)| size.point(x, y)).collect()
}

/// Openings of three stones: the first three stones of each built-in opening for the rule. Openings for another size
/// are moved with the centre if they fit. Without any, the only one is [`anywhere`].
pub fn listed(rule: Rule, size: Size) -> Vec<Stones> {
    let found = [size, Size::FIFTEEN].into_iter().find_map(|size| Some((size, lists::builtin(rule, size)?)));
    let builtin =
        found.and_then(|(listed, text)| Some((listed, lists::parse_list(text, rule, Letters::new(listed)).ok()?)));
    let (listed, builtin) = builtin.unwrap_or((size, Vec::new()));
    let moved = |point: &Point| {
        let coordinate = |at: u8| (at + size.centre().x()).checked_sub(listed.centre().x());
        size.point(coordinate(point.x())?, coordinate(point.y())?)
    };
    let three = |stones: &lists::Opening| stones.get(..3)?.iter().map(moved).collect();
    let openings: Vec<_> = builtin.iter().filter_map(three).collect();
    if openings.is_empty() { anywhere(size).into_iter().collect() } else { openings }
}

#[cfg(test)]
mod tests {
    use super::super::board;
    use super::*;

    #[test]
    fn there_are_openings_for_every_rule_and_size() {
        for rule in Rule::ALL {
            for size in Size::MIN..=Size::MAX {
                let size = Size::new(size).unwrap();
                let openings = listed(rule, size);
                assert!(!openings.is_empty());
                for stones in &openings {
                    assert_eq!(board(size, rule, stones.iter()).stone_count(), 3, "{stones:?} on {size}");
                }
                assert!(openings.len() > 30 || size < Size::FIFTEEN, "{rule} {size}: {}", openings.len());
            }
        }
    }
}
