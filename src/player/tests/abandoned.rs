//! Pickers that return after they were abandoned.

use super::*;

#[test]
fn reports_of_an_abandoned_picker_change_nothing_and_it_is_asked_again() {
    let mut stage = Stage::threaded(&[Script::Hang]);
    stage.hang(MINUTE);
    let due = stage.player.wake_at().unwrap();
    stage.player.poll(due);
    stage.release();
    assert_eq!(stage.next(), Update::Unchanged);
    assert_eq!(stage.answer().nodes, 0);
}

/// Only the new picker has been cleared.
#[test]
fn an_abandoned_picker_that_returns_during_the_next_question_does_not_replace_the_new_one() {
    let mut stage = Stage::threaded(&[Script::Hang, Script::Obey, Script::Answer("2,2")]);
    stage.hang(MINUTE);
    let due = stage.player.wake_at().unwrap();
    stage.player.poll(due);
    stage.player.clear();
    assert_eq!(stage.ask(Deadlines::NONE), Update::Unchanged);
    stage.release();
    assert_eq!(stage.next(), Update::Unchanged, "the old picker returns");
    stage.player.stop(Instant::now());
    let Update::Answer(Some(answer)) = stage.next() else { panic!("the new picker returns") };
    assert_eq!(answer.nodes, 1);
    stage.ask(Deadlines::NONE);
    stage.player.stop(Instant::now());
    let Update::Answer(Some(answer)) = stage.next() else { panic!("the new picker is kept") };
    assert_eq!(answer.nodes, 1);
}

#[test]
fn an_abandoned_picker_that_returns_after_another_was_made_ready_does_not_replace_it() {
    let mut stage = Stage::threaded(&[Script::Hang, Script::Answer("2,2")]);
    stage.hang(MINUTE);
    let due = stage.player.wake_at().unwrap();
    stage.player.poll(due);
    assert!(stage.player.ready_picker().is_some(), "for a file of the table");
    stage.release();
    assert_eq!(stage.next(), Update::Unchanged, "the old picker returns");
    assert_eq!(stage.answer().choice().unwrap().point, point("2,2"));
}
