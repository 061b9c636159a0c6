//! A remote executor with its cache, on this machine.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process, thread};

use crate::command::repository;

/// A process of `scripts/remote-executor`. It is killed when this value is dropped.
#[derive(Debug)]
pub struct RemoteExecutor {
    server: Child,
    port: u16,
    cache: PathBuf,
}

impl RemoteExecutor {
    /// Starts an executor with an empty cache, and waits until it is ready.
    pub fn start() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let cache = env::temp_dir().join(format!("fixpoint-remote-{}-{number}", process::id()));
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("its address").port();
        drop(free);
        let mut server = Command::new(repository().join("scripts/remote-executor"))
            .arg(port.to_string())
            .arg(&cache)
            .stderr(Stdio::piped())
            .spawn()
            .expect("scripts/remote-executor");
        let mut lines = BufReader::new(server.stderr.take().expect("piped")).lines();
        let mut said = Vec::new();
        let is_ready = lines
            .by_ref()
            .map_while(Result::ok)
            .inspect(|line| said.push(line.clone()))
            .any(|line| line.contains("Server listening"));
        assert!(is_ready, "scripts/remote-executor: {said:#?}");
        // Otherwise the executor would block when the pipe is full.
        thread::spawn(move || lines.for_each(drop));
        Self {
            server,
            port,
            cache,
        }
    }

    /// The flag with which Bazel uses this executor.
    pub fn flag(&self) -> String {
        format!("--remote_executor=grpc://127.0.0.1:{}", self.port)
    }

    /// Ends the executor, as if its machine had failed.
    pub fn kill(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for RemoteExecutor {
    fn drop(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.cache);
    }
}
