//! The rules about messages that are not timed: refusals, limits, and the end.

use std::process::Command;
use std::time::Duration;

use touchstone_wire::{
    Contract, Data, Fields, MOST_MESSAGES, MOST_THREADS, Offer, PROTOCOL, Reply, Request, Vary,
    Work,
};

use super::cell::{BYTES, check_of, cut, is_exact, made, said, samples, unexpected};
use super::{Suspect, Told};
use crate::catalogue;
use crate::operations;
use crate::worker::{Fault, Started, Worker, patience};

/// How long a worker may take to end after its input has ended.
const FAREWELL: Duration = Duration::from_secs(5);

impl Suspect {
    pub(super) fn other_protocol(&self) -> Told {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        match Worker::start_speaking(PROTOCOL + 97, command, "", self.memory_mib) {
            Ok(Started::Absent(reason)) if !reason.is_empty() => Ok(1),
            Ok(Started::Absent(_)) => Err("absent without a reason".into()),
            Ok(Started::Ready(_)) => Err(format!("it claims to speak protocol {}", PROTOCOL + 97)),
            Err(fault) => Err(fault.to_string()),
        }
    }

    pub(super) fn refusals(&self) -> Told {
        let mut worker = self.begin()?;
        let open = |id| Request::Open {
            id,
            contract: Contract::Hot,
            messages: 1,
            vary: Vary::new(),
            second: Fields::new(),
            work: Work::new("no-such-primitive", "hash"),
        };
        let time = Request::Time {
            id: 4242,
            calls: 1,
            warm: 0,
            threads: 1,
            cpus: Vec::new(),
            digest: false,
        };
        let requests = [
            check_of(Work::new("no-such-primitive", "hash")),
            check_of(Work::new("sha-256", "no-such-operation")),
            open(1),
            time,
            Request::Run { id: 4242 },
        ];
        for request in &requests {
            match worker.ask(request, patience()) {
                Ok(Reply::Unsupported { .. } | Reply::Failed { .. }) => {}
                other => return Err(unexpected(request, &other)),
            }
        }
        Ok(requests.len())
    }

    pub(super) fn impossible_keys(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers) {
            let fixed = catalogue::columns(&offer.primitive)
                .and_then(|column| column("block"))
                .is_some_and(|block| block > 0);
            if !fixed || !operation.inputs.contains_key("key") {
                continue;
            }
            let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
                continue;
            };
            let request = check_of(work.with("key", vec![7; 7777]));
            match worker.ask(&request, patience()) {
                Ok(Reply::Unsupported { .. } | Reply::Failed { .. }) => count += 1,
                other => return Err(unexpected(&request, &other)),
            }
        }
        Ok(count)
    }

    pub(super) fn forgeries(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers).filter(|(_, o)| o.refuses) {
            let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
                continue;
            };
            let request = check_of(work.clone());
            match worker.ask(&request, patience()) {
                Ok(Reply::Output { .. }) => {}
                other => return Err(unexpected(&request, &other)),
            }
            for name in work.inputs.keys() {
                let mut bytes = work.bytes(name);
                // A changed key may be an equivalent key: DES ignores parity bits.
                if bytes.is_empty() || name == "key" {
                    continue;
                }
                let middle = bytes.len() / 2;
                bytes[middle] ^= 0x10;
                let request = check_of(work.clone().with(name, bytes));
                match worker.ask(&request, patience()) {
                    Ok(Reply::Rejected | Reply::Failed { .. }) => count += 1,
                    other => return Err(unexpected(&request, &other)),
                }
            }
        }
        Ok(count)
    }

    /// Checks that requests with fields of a later version get the same answers as without.
    pub(super) fn unknown_fields(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers).filter(is_exact) {
            let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
                continue;
            };
            let request = check_of(work);
            let expected = worker.ask(&request, patience());
            let line = request.line();
            let Some(fields) = line.strip_prefix('{') else {
                continue;
            };
            let line = format!("{{\"of-a-later-version\":{{\"a\":[1,null]}},{fields}");
            let shown = cut(&line);
            match (expected, worker.ask_line(line, None, patience())) {
                (Ok(expected), Ok(reply)) if reply == expected => count += 1,
                (_, other) => return Err(format!("asked {shown}: {}", said(&other))),
            }
        }
        Ok(count)
    }

    /// Checks that a request beyond the limits is refused or ends the worker, immediately
    /// and without allocating memory for it.
    pub(super) fn bounds(&self, offers: &[Offer]) -> Told {
        let Some((offer, operation)) = samples(offers).find(|(_, o)| {
            let takes = o.axis.as_ref().map(|axis| &o.inputs[&axis.input].kind);
            takes.is_some_and(|kind| *kind != operations::Kind::Integer)
        }) else {
            return Ok(0);
        };
        let axis = operation.axis.as_ref().map_or("input", |axis| &axis.input);
        let mut worker = self.begin()?;
        let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
            return Ok(0);
        };
        let open = |messages, work: &Work| Request::Open {
            id: 1,
            contract: if messages > 1 {
                Contract::Many
            } else {
                Contract::Hot
            },
            messages,
            vary: Vary::new(),
            second: Fields::new(),
            work: work.clone(),
        };
        let painted = |bytes| work.clone().with(axis, Data::Painted(bytes));
        let time = Request::Time {
            id: 1,
            calls: 1,
            warm: 0,
            threads: MOST_THREADS + 1,
            cpus: Vec::new(),
            digest: false,
        };
        let hostile = [
            check_of(painted(usize::MAX)),
            check_of(painted(99_999_999_999)),
            check_of(work.clone().with("length", u64::MAX)),
            check_of(work.clone().with("tag", u64::MAX)),
            open(MOST_MESSAGES + 1, &work),
            open(u32::MAX, &work),
            open(1, &painted(1 << 40)),
            time,
        ];
        for request in &hostile {
            let mut worker = self.begin()?;
            if matches!(request, Request::Time { .. }) {
                let _ = worker.ask(&open(1, &work), patience());
            }
            let before = worker.peak_kib().unwrap_or(0);
            let reply = worker.ask(request, patience());
            let grown = worker.peak_kib().unwrap_or(0).saturating_sub(before);
            match reply {
                Ok(Reply::Unsupported { .. } | Reply::Failed { .. }) => {}
                // A worker may ignore an input that the operation does not have.
                Ok(Reply::Output { .. }) if matches!(request, Request::Check { work: asked } if asked.inputs.get(axis) == work.inputs.get(axis)) =>
                    {}
                Err(Fault::Ended { .. }) => {}
                other => return Err(unexpected(request, &other)),
            }
            // The heap of a run-time grows a little by itself.
            if grown > 256 << 10 {
                return Err(format!("took {grown} KiB for {}", cut(&request.line())));
            }
        }
        Ok(hostile.len())
    }

    pub(super) fn farewell(&self) -> Told {
        match self.begin()?.leave(true, FAREWELL) {
            Some(status) if status.success() => {}
            Some(status) => return Err(format!("after `bye`: {status}")),
            None => return Err("it is still there after `bye`".into()),
        }
        match self.begin()?.leave(false, FAREWELL) {
            Some(_) => Ok(2),
            None => Err("it is still there when its input has ended".into()),
        }
    }
}
