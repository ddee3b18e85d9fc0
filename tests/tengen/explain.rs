//! `explain` as a reader sees it.

use tengen::board::{Rule, Size};
use tengen::explain::{Explanation, Record};
use tengen::picker::{Limits, PickerName, Reason};
use tengen::position::Position;
use tengen::weights::Book;

/// i8 would make two open threes, so it is forbidden to black.
const FORK: &str = "h8 a1 j8 c1 i9 e1 i10 g1";

const FORK_EXPLAINED: &str = "\
renju, 15x15, book shapes, picker greedy; black (X) to move

   a b c d e f g h i j k l m n o
 1 O . O . O . O . . . . . . . .
 2 . . . . . . . . . . . . . . .
 3 . . . . . . . . . . . . . . .
 4 . . . . . . . . . . . . . . .
 5 . . . . . . . . . . . . . . .
 6 . . . . . . . . . . . . . . .
 7 . . . . . . . . . . . . . . .
 8 . . . . . . . X ! X . . . . .
 9 . . . . . . . . X . . . . . .
10 . . . . . . . * X . . . . . .
11 . . . . . . . . . . . . . . .
12 . . . . . . . . . . . . . . .
13 . . . . . . . . . . . . . . .
14 . . . . . . . . . . . . . . .
15 . . . . . . . . . . . . . . .

! forbidden to black

* black plays h10 (7,9): the greatest total, 420

  point  x,y           attack      defence        total
* h10    7,9              420            0          420
  j10    9,9              420            0          420
  i7     8,6              390            0          390
  h9     7,8              360            0          360
  j9     9,8              360            0          360
  f1     5,0                0          300          300
  d1     3,0                0          300          300
  g8     6,7              270            0          270
  k8     10,7             270            0          270
  g7     6,6              210            0          210

  line                         if black plays  if white plays
  horizontal     .....*X....   open two        one
  vertical       ...X.*.....   open two        open one
  diagonal       .....*.....   open one        open one
  antidiagonal   .....*XX...   open three      one
";

fn position(moves: &str, rule: Rule, book: Book) -> Position {
    let record = Record::from_moves(moves, Size::FIFTEEN).unwrap();
    let mut position = Position::from_board(record.board(rule, None).unwrap());
    position.set_book(Some(book));
    position
}

#[test]
fn a_position_is_explained_word_for_word() {
    let mut position = position(FORK, Rule::Renju, Book::Shapes);
    let explanation = Explanation::ask(&mut position, PickerName::Greedy, &Limits::default()).unwrap();
    let text: String = explanation.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect();
    assert_eq!(text, FORK_EXPLAINED, "\n{text}");
}

#[test]
fn colors_add_nothing_but_codes() {
    let mut position = position(FORK, Rule::Renju, Book::Shapes);
    let explanation = Explanation::ask(&mut position, PickerName::Greedy, &Limits::default()).unwrap();
    let styled = explanation.styled().to_string();
    assert!(styled.contains("\u{1b}["));
    assert_eq!(anstream::adapter::strip_str(&styled).to_string(), explanation.to_string());
}

#[test]
fn what_is_explained_is_what_the_picker_plays() {
    for book in Book::ALL {
        for rule in Rule::ALL {
            let mut position = position("h8 i9 i8 j8 g8 f8 h9", rule, book);
            let choice = PickerName::Greedy.build().pick(&mut position, &Limits::default(), &mut |_| {}).unwrap();
            let explanation = Explanation::ask(&mut position, PickerName::Greedy, &Limits::default()).unwrap();
            assert_eq!(explanation.choice, choice);
            assert_eq!(explanation.greatest.len(), 10);
            assert_eq!(explanation.greatest[0].point, choice.point);
            assert_eq!(Reason::Weights(explanation.greatest[0].weights), choice.reason);
            let totals: Vec<_> = explanation.greatest.iter().map(|candidate| candidate.weights.total).collect();
            assert!(totals.is_sorted_by(|greater, less| greater >= less), "{totals:?}");
        }
    }
}

#[test]
fn scripts_read_the_same_as_people() {
    let mut position = position(FORK, Rule::Renju, Book::Decimal);
    let json = Explanation::ask(&mut position, PickerName::Greedy, &Limits::default()).unwrap().to_json();
    assert_eq!(json["rule"], "renju");
    assert_eq!(json["size"], 15);
    assert_eq!(json["book"], "decimal");
    assert_eq!(json["turn"], "black");
    assert_eq!(json["black"], serde_json::json!(["h8", "j8", "i9", "i10"]));
    assert_eq!(json["forbidden"], serde_json::json!(["i8"]));
    assert_eq!(json["choice"]["reason"], "weights");
    assert_eq!(json["choice"]["total"], json["greatest"][0]["total"]);
    assert_eq!(json["greatest"].as_array().unwrap().len(), 10);
    assert_eq!(json["lines"][0]["direction"], "horizontal");
}

#[test]
fn an_empty_board_is_explained_by_its_centre_and_a_full_one_not_at_all() {
    let mut empty = position("", Rule::Freestyle, Book::Runs);
    let explanation = Explanation::ask(&mut empty, PickerName::Greedy, &Limits::default()).unwrap();
    assert!(explanation.to_string().contains("* black plays h8 (7,7): the centre of an empty board"));
    assert_eq!(explanation.to_json()["choice"]["reason"], "centre");

    let size = Size::new(Size::MIN).unwrap();
    let mut full = Position::new(size, Rule::Freestyle);
    full.set_book(Some(Book::Runs));
    size.points().for_each(|point| full.play(point));
    assert!(Explanation::ask(&mut full, PickerName::Greedy, &Limits::default()).is_none());
}
