//! Limits the memory of this process. The operating system enforces the limit.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Limits the address space of this process. Allocations beyond it fail. A stricter limit is kept.
pub fn bound_address_space(bytes: u64) {
    let known = getrlimit(Resource::As);
    let bound = Rlimit {
        current: Some(known.current.map_or(bytes, |known| known.min(bytes))),
        maximum: known.maximum,
    };
    // If the system does not support this limit, the caller's other limits apply.
    let _ = setrlimit(Resource::As, bound);
}
