//! Files that the system does not let a command write: a size limit, a full device, a read-only file or folder. The
//! command ends with one line, and nothing is lost.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tengen::rng::Rng;

use super::{LIBRARY, one_error, run, run_well, whole_entries};
use crate::library::games::random_list;
use crate::tune::Folder;

/// Runs `tengen-library` by a line of the shell, in which `$LIBRARY` is the program.
fn run_in_shell(folder: &Path, line: &str) -> Output {
    Command::new("bash").args(["-c", line]).env("LIBRARY", LIBRARY).current_dir(folder).output().unwrap()
}

/// A folder with the library `a.library` and files to import.
fn folder_with_library() -> Folder {
    let folder = Folder::new();
    let mut rng = Rng::new(8);
    folder.write("first.txt", &random_list(&mut rng, 100, 10));
    folder.write("second.txt", &random_list(&mut rng, 200, 10));
    for library in ["a.library", "b.library"] {
        run_well(&folder.0, &["create", library]);
    }
    run_well(&folder.0, &["import", "a.library", "first.txt", "--rule", "renju"]);
    run_well(&folder.0, &["import", "b.library", "second.txt", "--rule", "renju"]);
    folder
}

/// Commands that change `a.library`.
const CHANGES: [&str; 6] = [
    "import a.library second.txt --rule renju",
    "edit a.library h8 --comment text",
    "expand a.library h8 h9 --nodes 20 --searches 1",
    "merge a.library b.library",
    "prune a.library --more-stones-than 8",
    "check a.library",
];

/// Commands that write the new file `new.db`.
const OUTPUTS: [&str; 4] =
    ["create new.db", "backup a.library new.db", "export a.library --out new.db", "convert old.csv new.db"];

#[test]
fn a_size_limit_ends_a_command_with_one_line_and_loses_nothing() {
    let folder = folder_with_library();
    run_well(&folder.0, &["export", "a.library", "--out", "old.csv"]);
    let path = folder.0.join("a.library");
    let before = fs::read(&path).unwrap();
    let entries = whole_entries(&path);
    let kibibytes = before.len() / 1024;
    let (mut refused, mut done) = (0, 0);
    for command in CHANGES {
        for limit in [0, 64, kibibytes / 2, kibibytes + 16, 1 << 20] {
            fs::write(&path, &before).unwrap();
            let output = run_in_shell(&folder.0, &format!("ulimit -f {limit}; \"$LIBRARY\" {command}"));
            let what = format!("{command} with {limit} KiB");
            if output.status.success() {
                whole_entries(&path);
                done += 1;
            } else {
                let error = one_error(&output, &what);
                assert!(error.starts_with("tengen-library: a.library: File too large"), "{what}: {error}");
                assert!(whole_entries(&path) == entries, "{what}: something is lost");
                run_well(&folder.0, &["edit", "a.library", "h8", "--comment", "text"]);
                refused += 1;
            }
        }
    }
    fs::write(&path, &before).unwrap();
    for command in OUTPUTS {
        for limit in [0, 1, 8] {
            let output = run_in_shell(&folder.0, &format!("ulimit -f {limit}; \"$LIBRARY\" {command}"));
            let what = format!("{command} with {limit} KiB");
            let error = one_error(&output, &what);
            assert!(error.contains("File too large"), "{what}: {error}");
            assert!(!folder.0.join("new.db").exists(), "{what}: a part of the file is left");
            refused += 1;
        }
        let words: Vec<_> = command.split(' ').collect();
        run_well(&folder.0, &words);
        fs::remove_file(folder.0.join("new.db")).unwrap();
    }
    assert!(whole_entries(&path) == entries);
    assert!(refused > 20 && done >= CHANGES.len(), "{refused} commands refused, {done} done");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_output_is_one_line() {
    let folder = folder_with_library();
    for command in ["info a.library", "query a.library h8", "query a.library h8 --json", "check a.library"] {
        let error = one_error(&run_in_shell(&folder.0, &format!("\"$LIBRARY\" {command} > /dev/full")), command);
        assert!(error.contains("No space left"), "{command}: {error}");
    }
}

#[test]
fn a_read_only_file_or_folder_is_one_line() {
    let folder = folder_with_library();
    let library = folder.0.join("a.library");
    let entries = whole_entries(&library);
    folder.write("old.csv", "index,key,label,value,depth,bound,text\n");
    let allow = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    allow(&library, 0o444);
    allow(&folder.0, 0o555);
    // The superuser may write everything.
    let is_refused = fs::write(folder.0.join("probe"), "").is_err();
    if is_refused {
        for command in CHANGES.into_iter().chain(OUTPUTS) {
            let words: Vec<_> = command.split(' ').collect();
            let error = one_error(&run(&folder.0, &words), command);
            assert!(error.contains("Permission denied"), "{command}: {error}");
        }
    }
    allow(&folder.0, 0o755);
    allow(&library, 0o644);
    assert!(whole_entries(&library) == entries);
}
