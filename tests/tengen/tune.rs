//! Fitting is repeatable, and finds what is there to be found.

use std::cell::RefCell;

use tengen::board::{Rule, Size};
use tengen::tune::{Course, Plan, Sample, fit, play};

const PLAN: Plan = Plan { rule: Rule::Renju, size: Size::FIFTEEN, games: 12, nodes: 150, seed: 5, threads: 1 };

fn texts(samples: &[Sample]) -> Vec<String> {
    samples.iter().map(Sample::to_string).collect()
}

#[test]
fn games_depend_on_the_seed_alone() {
    let samples = play(&PLAN, &|_| {});
    assert!(!samples.is_empty());
    assert!(samples.iter().all(|sample| sample.position(PLAN.rule).is_some()));
    let again = play(&Plan { threads: 2, ..PLAN }, &|_| {});
    assert_eq!(texts(&samples), texts(&again), "on two threads");
    let others = play(&Plan { seed: 6, ..PLAN }, &|_| {});
    assert_ne!(texts(&samples), texts(&others));
}

#[test]
fn a_fit_learns_and_depends_on_the_seed_alone() {
    let samples = play(&PLAN, &|_| {});
    let course = Course { rule: PLAN.rule, result_share: 0.5, rounds: 4, seed: 1 };
    let losses = RefCell::new(Vec::new());
    let fitted = fit(&course, &samples, &|_, loss, _| losses.borrow_mut().push(loss));
    let losses = losses.into_inner();
    assert_eq!(losses.len(), course.rounds);
    assert!(losses[3].chance < losses[0].chance, "{losses:?}");
    assert!(losses[3].moves < losses[0].moves, "{losses:?}");
    let names: Vec<_> = fitted.files.iter().map(|&(name, _)| name).collect();
    assert_eq!(names, ["renju_black.txt", "renju_white.txt"]);
    assert_eq!(fit(&course, &samples, &|_, _, _| {}).files, fitted.files);
    assert_ne!(fit(&Course { seed: 2, ..course }, &samples, &|_, _, _| {}).files, fitted.files);
}
