//! [`MemoryBudget`]: divides the memory of the process between the program, its threads and the tables.

/// Default `max_memory` in bytes: Gomocup's 350 MiB.
pub const DEFAULT_MEMORY: u64 = 350 << 20;

/// Bytes reserved for everything except the tables of a search: the program, the tables of rules and weightings,
/// proofs, and the first 16 threads.
const RESERVE: u64 = 64 << 20;

/// Number of threads covered by [`RESERVE`].
const RESERVED_THREADS: u64 = 16;

/// Bytes of each further thread. Stack, board and proof table take 0.74 MiB (measured with 64 and with 200 threads),
/// and the activations of a network take 0.13 MiB.
const THREAD: u64 = 1 << 20;

/// Bytes of the process, and the number of threads that share them.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryBudget {
    process: u64,
    threads: u64,
}

impl MemoryBudget {
    /// Divides the bytes of the process. Limits the number of threads: at 1 MiB each, they and 16 MiB more take at most
    /// half of the bytes. At least one thread is left.
    pub(super) fn new(process: u64, threads: usize) -> Self {
        let most = (process / 2 / THREAD).saturating_sub(RESERVED_THREADS).max(1);
        Self { process, threads: most.min(threads as u64) }
    }

    /// Number of threads of a search.
    pub(super) fn threads(self) -> usize {
        usize::try_from(self.threads).unwrap_or(usize::MAX)
    }

    /// Bytes available for the tables.
    pub(super) fn tables(self) -> u64 {
        self.process.saturating_sub(RESERVE + self.threads.saturating_sub(RESERVED_THREADS) * THREAD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_and_tables_share_the_memory_of_the_process() {
        let divided = |threads, memory: u64| {
            let budget = MemoryBudget::new(memory << 20, threads);
            (budget.threads(), budget.tables() >> 20)
        };
        assert_eq!(divided(16, 350), (16, 286));
        assert_eq!(divided(64, 350), (64, 238));
        assert_eq!(divided(1000, 350), (159, 143));
        assert_eq!(divided(64, 80), (24, 8));
        assert_eq!(divided(64, 1), (1, 0));
        assert_eq!(divided(1000, 4096), (1000, 3048));
        for (threads, memory) in [(1, 80), (24, 80), (64, 80), (64, 350), (1000, 350), (1000, 1100)] {
            let (threads, table) = divided(threads, memory);
            // 24 MiB of program, network and proofs.
            let whole = 24.0 + 0.87 * threads as f64 + table as f64;
            assert!(whole < 0.95 * memory as f64, "{threads} threads and tables of {table} MiB in {memory} MiB");
        }
    }
}
