//! The processes of an engine as Linux shows them under `/proc`: their memory, and those that left the group.
//! Elsewhere nothing is known of them.

use std::fs;
use std::path::Path;

/// The variable by which the processes of an engine are told from all others.
pub(super) const TAG: &str = "TENGEN_ARENA_ENGINE";

/// Bytes of memory that a process and its descendants hold for themselves, once that can exceed `limit`.
///
/// The resident memory, which is cheap to read, is never less; as long as it stays within the limit, it is returned
/// in its place. `None` where the system does not tell.
pub(super) fn memory(process: u32, limit: u64) -> Option<u64> {
    let mut tree = vec![process];
    let mut next = 0;
    while let Some(&process) = tree.get(next) {
        tree.extend(children(process));
        next += 1;
    }
    let resident: Option<u64> = tree.iter().map(|&process| resident(process)).sum();
    let resident = resident?;
    if resident <= limit { Some(resident) } else { Some(tree.into_iter().filter_map(unshared).sum()) }
}

/// The direct children of a process, whichever of its threads has started them.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

/// Resident bytes; 0 for a process that has just ended.
fn resident(process: u32) -> Option<u64> {
    // The size of a page on every Linux machine that the field uses.
    const PAGE: u64 = 4096;
    if !Path::new("/proc/self/statm").exists() {
        return None;
    }
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    Some(text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE)
}

/// Bytes in pages that no other process shares (the judge's measure, USS).
fn unshared(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let private = text.lines().filter(|line| line.starts_with("Private_Clean:") || line.starts_with("Private_Dirty:"));
    Some(private.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum::<u64>() << 10)
}

/// Kills the processes that carry the tag of an engine that has ended: those that left its group.
pub(super) fn kill_tagged(tag: &str) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Signal, kill_process};
        let wanted = format!("{TAG}={tag}");
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes {
            let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes()) {
                let _ = Pid::from_raw(id).map(|id| kill_process(id, Signal::KILL));
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = tag;
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_holds_some_memory_for_itself() {
        let process = std::process::id();
        let resident = memory(process, u64::MAX).unwrap();
        let unshared = memory(process, 0).unwrap();
        assert!(unshared > 0 && unshared <= resident, "{unshared} of {resident}");
    }
}
