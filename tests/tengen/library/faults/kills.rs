//! Commands that are killed at random moments. A command has happened whole or not at all, and the next one works.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tengen::rng::Rng;

use super::{LIBRARY, run_well, whole_entries};
use crate::library::games::random_list;
use crate::tune::Folder;

/// The library that is killed, and the one that is not.
const KILLED: &str = "killed.library";
const TWIN: &str = "twin.library";

/// Starts a command and kills it after a time. Returns whether it had ended before.
fn kill_after(folder: &Folder, arguments: &[&str], time: Duration) -> bool {
    let mut command = Command::new(LIBRARY);
    command.args(arguments).current_dir(&folder.0).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(time);
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(ended.is_none_or(|status| status.success()), "{arguments:?}: {ended:?}");
    ended.is_some()
}

/// Kills commands of which each is one transaction. `command` returns the arguments after the library of the command with
/// a number, which differ from those of all others.
fn kill_transactions(kills: usize, mut command: impl FnMut(&Folder, usize, &mut Rng) -> Vec<String>) {
    let folder = Folder::new();
    let path = |name| folder.0.join(name);
    run_well(&folder.0, &["create", KILLED]);
    let mut rng = Rng::new(3);
    let mut known = whole_entries(&path(KILLED));
    let (mut done, mut undone) = (0, 0);
    for number in 0..kills {
        let arguments = command(&folder, number, &mut rng);
        let on = |library| {
            let words = arguments.iter().map(String::as_str);
            let mut words: Vec<_> = words.collect();
            words.insert(1, library);
            words
        };
        fs::copy(path(KILLED), path(TWIN)).unwrap();
        let started = Instant::now();
        run_well(&folder.0, &on(TWIN));
        // Beyond the time of the command, so that some are not killed.
        let most = started.elapsed().as_micros() as usize * 5 / 4;
        let time = Duration::from_micros(rng.below(most) as u64);
        let has_ended = kill_after(&folder, &on(KILLED), time);
        let (found, twin) = (whole_entries(&path(KILLED)), whole_entries(&path(TWIN)));
        let is_done = found == twin;
        assert!(is_done || found == known, "kill {number}: {} positions after {}", found.len(), known.len());
        assert!(is_done || !has_ended, "kill {number}: the command has ended without an effect");
        *(if is_done { &mut done } else { &mut undone }) += 1;
        known = found;
    }
    let checked = run_well(&folder.0, &["check", KILLED]);
    assert!(checked.ends_with("0 faults, 0 contradictions between sources\n"), "{checked}");
    // A few kills may all come early or late.
    assert!(kills < 50 || done > 0 && undone > 0, "{done} commands done, {undone} undone");
}

fn kill_imports(kills: usize) {
    kill_transactions(kills, |folder, number, rng| {
        let name = format!("games-{number}.txt");
        folder.write(&name, &random_list(rng, 20, 10));
        ["import", &name, "--rule", "renju"].map(str::to_owned).to_vec()
    });
}

fn kill_edits(kills: usize) {
    kill_transactions(kills, |_, number, rng| {
        let moves = random_list(rng, 1, 1 + number % 4);
        let comment = format!("edit {number}");
        ["edit", "--rule", "renju", moves.trim(), "--comment", &comment].map(str::to_owned).to_vec()
    });
}

/// Kills expansions. The library is then one that an expansion without kills has passed through.
fn kill_expansions(kills: usize) {
    let folder = Folder::new();
    let path = |name| folder.0.join(name);
    let expand = |library| ["expand", library, "h8", "--rule", "renju", "--nodes", "20", "--plies", "40"];
    for library in [KILLED, TWIN] {
        run_well(&folder.0, &["create", library]);
    }
    // The first transaction adds the root, and each further one has 16 searches at most.
    let mut rounds = 0;
    let mut advance = || {
        let searches = if rounds == 0 { "0" } else { "1" };
        rounds += 1;
        let started = Instant::now();
        run_well(&folder.0, &[&expand(TWIN)[..], &["--searches", searches]].concat());
        (whole_entries(&path(TWIN)), started.elapsed())
    };
    advance();
    let (mut twin, round) = advance();
    let mut rng = Rng::new(3);
    let mut is_begun = false;
    for number in 0..kills {
        kill_after(&folder, &expand(KILLED), round.mul_f64(4.0 * rng.fraction()));
        let found = whole_entries(&path(KILLED));
        // An early kill may leave less than the twin had at the start.
        if is_begun || found.len() >= twin.len() {
            is_begun = true;
            while twin.len() < found.len() {
                (twin, _) = advance();
            }
            assert!(found == twin, "kill {number}: {} positions, {} of the twin", found.len(), twin.len());
        }
    }
    assert!(is_begun, "no expansion has committed within {kills} kills");
    run_well(&folder.0, &["check", KILLED]);
}

#[test]
fn a_killed_import_has_happened_whole_or_not_at_all() {
    kill_imports(6);
}

#[test]
fn a_killed_edit_has_happened_whole_or_not_at_all() {
    kill_edits(8);
}

#[test]
fn a_killed_expansion_loses_nothing_that_was_committed() {
    kill_expansions(6);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_killed_commands_lose_nothing_that_was_committed() {
    kill_imports(70);
    kill_edits(70);
    kill_expansions(60);
}
