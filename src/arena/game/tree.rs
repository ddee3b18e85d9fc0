//! The processes of an engine as Linux lists them under `/proc`: their memory, and those that left the group. On other
//! systems memory is not checked.

use std::fs;
use std::path::Path;

/// The environment variable that marks the processes of an engine.
pub(super) const TAG: &str = "TENGEN_ARENA_ENGINE";

/// Bytes of memory that processes and their descendants do not share with others, exact only above `limit`.
///
/// The resident memory is cheap to read and never less: within the limit it is returned instead. `None` without `/proc`.
pub(super) fn memory(processes: &[u32], limit: u64) -> Option<u64> {
    let tree = with_descendants(processes);
    let resident: Option<u64> = tree.iter().map(|&process| resident(process)).sum();
    let resident = resident?;
    if resident <= limit { Some(resident) } else { Some(tree.into_iter().filter_map(unshared).sum()) }
}

/// These processes and all below them.
pub(super) fn with_descendants(processes: &[u32]) -> Vec<u32> {
    let mut tree = processes.to_vec();
    let mut next = 0;
    while let Some(&process) = tree.get(next) {
        tree.extend(children(process));
        next += 1;
    }
    tree
}

/// The direct children of a process, started by any of its threads.
pub(super) fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

/// The resident memory in bytes; 0 for a process that has just ended.
fn resident(process: u32) -> Option<u64> {
    if !Path::new("/proc/self/statm").exists() {
        return None;
    }
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    Some(resident_bytes(&text, page_size()))
}

/// The second number of a `statm` file, which counts pages, converted to bytes.
fn resident_bytes(statm: &str, page: u64) -> u64 {
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * page
}

/// The size of a page in bytes: 4096 on x86-64, up to 65,536 on ARM.
#[cfg(target_os = "linux")]
fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

/// Systems without `/proc` report no pages.
#[cfg(not(target_os = "linux"))]
const fn page_size() -> u64 {
    0
}

/// Bytes in pages that no other process shares (USS, which the Gomocup judge measures too).
fn unshared(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let private = text.lines().filter(|line| line.starts_with("Private_Clean:") || line.starts_with("Private_Dirty:"));
    Some(private.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum::<u64>() << 10)
}

/// Kills the processes that carry the tag of an ended engine: those that left its group. Spares `own`, a supervisor that
/// may still have children to kill.
pub(super) fn kill_tagged(tag: &str, own: u32) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Signal, kill_process};
        let wanted = format!("{TAG}={tag}");
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes {
            let id = process.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(id) = id.filter(|&id: &i32| id as u32 != own) else { continue };
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes()) {
                let _ = Pid::from_raw(id).map(|id| kill_process(id, Signal::KILL));
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (tag, own);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_holds_some_memory_for_itself() {
        let process = std::process::id();
        let resident = memory(&[process], u64::MAX).unwrap();
        let unshared = memory(&[process], 0).unwrap();
        assert!(unshared > 0 && unshared <= resident, "{unshared} of {resident}");
    }

    #[test]
    fn pages_have_the_size_that_the_system_names() {
        assert_eq!(resident_bytes("900 25 7 1 0 60 0", 65_536), 25 << 16);
        assert_eq!(resident_bytes("", 4096), 0);
        // The kernel's own sum, in KiB; the test may allocate between the two readings.
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let expected = line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10;
        let resident = resident(std::process::id()).unwrap();
        assert!(resident.abs_diff(expected) < expected / 2, "{resident} and {expected}");
    }
}
