//! A game in the terminal: the engine against itself, or a person against the engine.
//!
//! ```text
//! cargo run --release --example play                 # the engine plays both sides, half a second a move
//! cargo run --release --example play -- black 2000   # you play black, with moves such as h8; 2000 ms for the engine
//! ```

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use tengen::board::{Color, Point, Referee, Rule, Size};
use tengen::notation::Letters;
use tengen::picker::{Deadlines, Limits, PickerName, Question};
use tengen::player::{Player, Request, Update};
use tengen::weights::{WeightedPosition, Weighting};

const LETTERS: Letters = Letters::new(Size::FIFTEEN);

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let person: Option<Color> = words.next().filter(|word| word != "none").map(|word| word.parse()).transpose()?;
    let time = words.next().map_or(Ok(500), |word| word.parse()).context("milliseconds of a move")?;
    let mut player = Player::inline(Box::new(|| PickerName::Search.build()), Duration::from_millis(time));
    let mut referee = Referee::new(Size::FIFTEEN, Rule::Freestyle, None);
    let outcome = loop {
        let point =
            if person == Some(referee.turn()) { ask_person(&referee)? } else { ask_engine(&mut player, &referee)? };
        match referee.play(point) {
            Ok(None) => {}
            Ok(Some(outcome)) => break outcome,
            Err(error) => writeln!(io::stdout(), "{}: {error}", LETTERS.point(point))?,
        }
    };
    Ok(writeln!(io::stdout(), "{}\n{outcome}", referee.board())?)
}

fn ask_engine(player: &mut Player, referee: &Referee) -> anyhow::Result<Point> {
    let position = WeightedPosition::new(referee.board().clone(), Weighting::default());
    let (limits, deadlines) = (Limits::default(), Deadlines::NONE);
    let update = player.ask(Request { question: Question::MOVE, position, limits, deadlines }, &mut |_| {});
    let Update::Answer(Some(answer)) = update else { bail!("no move is left") };
    let choice = answer.choice().context("the answer is no move")?;
    let score = choice.reason.searched().map(|(score, depth)| format!(" {score} at depth {depth}"));
    writeln!(io::stdout(), "{} {}{}", referee.turn(), LETTERS.point(choice.point), score.unwrap_or_default())?;
    Ok(choice.point)
}

fn ask_person(referee: &Referee) -> anyhow::Result<Point> {
    loop {
        write!(io::stdout(), "{}\nyour move: ", referee.board())?;
        io::stdout().flush()?;
        let line = io::stdin().lines().next().context("the input has ended")??;
        match LETTERS.parse(line.trim()) {
            Ok(point) => return Ok(point),
            Err(error) => writeln!(io::stdout(), "{error}")?,
        }
    }
}
