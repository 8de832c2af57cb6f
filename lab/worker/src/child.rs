//! Starts worker processes for the lab, such that no part of a worker runs longer than the lab.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, mpsc};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, set_parent_process_death_signal, waitid,
};

/// The message to the thread that starts processes: a command, and the channel for the result.
type Order = (Command, mpsc::Sender<io::Result<Child>>);

/// Starts a program in a new process group. When this process ends, for any reason, the kernel
/// kills the program.
///
/// # Errors
/// The errors of [`Command::spawn`].
pub fn spawn(command: Command) -> io::Result<Child> {
    // Linux sends the signal when the *thread* that made the child ends (PR_SET_PDEATHSIG in
    // prctl(2)). Therefore one thread, which never ends, makes all children.
    static STARTER: LazyLock<Mutex<mpsc::Sender<Order>>> = LazyLock::new(|| {
        let (orders, inbox) = mpsc::channel::<Order>();
        // Without a thread, no order can be sent, so `spawn` returns an error.
        let _ = std::thread::Builder::new().spawn(move || {
            for (mut command, answer) in inbox {
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(orders)
    });
    let mut command = command;
    command.process_group(0);
    // SAFETY: the closure runs between fork and exec. It makes one system call and allocates
    // nothing, which is allowed there.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
    let gone = || io::Error::other("the system gives no thread that starts workers");
    let (answer, child) = mpsc::channel();
    STARTER
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .send((command, answer))
        .map_err(|_| gone())?;
    child.recv().map_err(|_| gone())?
}

/// The state of a child process, as the kernel reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The process still runs.
    Running,
    /// The process has ended and was not reaped, so its number belongs to no other process.
    Ended,
    /// The process was reaped, so its number may belong to another process.
    Reaped,
}

/// Returns the state of a child without reaping the child.
pub fn state(child: &Child) -> State {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = Pid::from_raw(child.id() as i32);
    match pid.map(|pid| waitid(WaitId::Pid(pid), options)) {
        Some(Ok(None)) => State::Running,
        Some(Ok(Some(_))) => State::Ended,
        Some(Err(_)) | None => State::Reaped,
    }
}

/// Kills a child with everything in its process group, and reaps it.
///
/// # Errors
/// The errors of [`Child::wait`].
pub fn end(child: &mut Child) -> io::Result<std::process::ExitStatus> {
    if let Some(pid) = Pid::from_raw(child.id() as i32)
        && state(child) != State::Reaped
    {
        // An error means that no process is left in the group, because the child has ended alone.
        let _ = kill_process_group(pid, Signal::KILL);
    }
    child.wait()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_child_of_a_thread_that_ended_lives_on_and_its_children_end_with_it() {
        let start = || {
            let mut command = Command::new("sh");
            // The second process has the pipe too, and would keep it open for a minute.
            command.args(["-c", "sleep 60 & echo started; exec sleep 60"]);
            spawn({
                command.stdout(Stdio::piped());
                command
            })
            .unwrap()
        };
        let mut child = std::thread::spawn(start).join().unwrap();
        let mut pipe = child.stdout.take().unwrap();
        let mut said = [0; 8];
        pipe.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"started\n");
        assert_eq!(state(&child), State::Running);
        let begun = Instant::now();
        end(&mut child).unwrap();
        assert_eq!(state(&child), State::Reaped);
        // Reading ends when no process has the pipe open any more.
        pipe.read_to_end(&mut Vec::new()).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
