//! Referees a game between two Gomocup engines, each given as a command.
//!
//! ```text
//! cargo build --release
//! cargo run --release --example referee -- target/release/pbrain-tengen target/release/pbrain-tengen-search
//! cargo run --release --example referee -- "wine pbrain-other.exe" target/release/pbrain-tengen-search renju 2000
//! ```
//!
//! The last words are the rule and the milliseconds of a move. For matches of many games see `tengen-arena`.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::{Context, bail};
use tengen::arena::config::EngineSpec;
use tengen::arena::game::{EngineError, Guest, GuestLimits, Halt};
use tengen::board::{ByColor, Referee, Rule, Size};
use tengen::notation::Letters;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [black, white, rest @ ..] = &words[..] else { bail!("expected the commands of two engines") };
    let rule: Rule = rest.first().map_or(Ok(Rule::Freestyle), |word| word.parse())?;
    let turn = rest.get(1).map_or(Ok(500), |word| word.parse()).context("milliseconds of a move")?;
    let limits = GuestLimits { turn, ..GuestLimits::default() };
    // Another thread may end the game through the halt.
    let halt = Arc::new(Halt::default());
    let start = |command: &String| -> anyhow::Result<Guest> {
        let spec = EngineSpec::parse([&*format!("cmd={command}")]).with_context(|| command.clone())?;
        Ok(Guest::new(spec, None, Arc::clone(&halt)))
    };
    // A process starts with its first question.
    let mut engines = ByColor([start(black)?, start(white)?]);
    let mut referee = Referee::new(Size::FIFTEEN, rule, None);
    let mut moves = Vec::new();
    let mut out = io::stdout().lock();
    let result = loop {
        let turn = referee.turn();
        let answer = match engines[turn].choose(Size::FIFTEEN, rule.into(), &moves, limits) {
            Ok(answer) => answer,
            Err(EngineError::Forfeit(end, detail)) => break format!("{turn} loses by {end}: {detail}"),
            Err(EngineError::Abort(abort)) => return Err(abort.into()),
        };
        let point = Letters::new(Size::FIFTEEN).point(answer.answer);
        writeln!(out, "{:3} {turn} {point} {} ms", moves.len() + 1, answer.time.as_millis())?;
        moves.push(answer.answer);
        if let Some(outcome) = referee.play(answer.answer)? {
            break outcome.to_string();
        }
    };
    engines.0.iter_mut().for_each(Guest::end);
    writeln!(out, "{}\n{result}", referee.board())?;
    Ok(())
}
