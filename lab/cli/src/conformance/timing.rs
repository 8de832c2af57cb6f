//! The rules about timing: contracts, calls, nonces, several messages, chains, threads.

use touchstone_wire::{Contract, Data, Offer, RING, Reply, Request, fnv1a};

use super::cell::{BYTES, Cell, check_of, is_exact, said, samples, unexpected};
use super::{Suspect, Told};
use crate::catalogue;
use crate::operations::Check;
use crate::worker::patience;

impl Suspect {
    pub(super) fn timing(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers) {
            for contract in [
                Contract::Hot,
                Contract::Keyed,
                Contract::Rekeyed,
                Contract::Setup,
                Contract::Latency,
            ] {
                if !operation.allows(contract) {
                    continue;
                }
                let Some(mut cell) = Cell::made(&mut worker, offer, operation, contract, BYTES[0])
                else {
                    continue;
                };
                let Some(digest) = cell.open(&mut worker, 1)? else {
                    continue;
                };
                let shown = format!(
                    "{} {} {}",
                    offer.primitive,
                    offer.operation,
                    contract.name()
                );
                if catalogue::check(&offer.primitive, operation) == Check::Exact
                    && digest != cell.expected(&mut worker)?
                {
                    return Err(format!("{shown}: `open` has another answer than `check`"));
                }
                // With an odd number of calls, a worker that alternates two keys ends on
                // the second key.
                for calls in [1, 7] {
                    cell.time(&mut worker, calls)?;
                }
                match worker.ask(&Request::Run { id: cell.id }, patience()) {
                    Ok(Reply::Ran { digest: again, .. })
                        if again == digest
                            || catalogue::check(&offer.primitive, operation) != Check::Exact => {}
                    Ok(Reply::Ran { .. }) => {
                        return Err(format!("{shown}: `run` has another answer after timing"));
                    }
                    other => return Err(unexpected(&Request::Run { id: cell.id }, &other)),
                }
                match worker.ask(&Request::Close { id: cell.id }, patience()) {
                    Ok(Reply::Closed { .. }) => {}
                    other => return Err(unexpected(&Request::Close { id: cell.id }, &other)),
                }
                match worker.ask(&Request::Run { id: cell.id }, patience()) {
                    Ok(Reply::Failed { .. }) => count += 1,
                    other => return Err(format!("a closed cell: {}", said(&other))),
                }
            }
        }
        Ok(count)
    }

    /// Checks that many more calls take more time, which finds a worker that ignores the
    /// number of calls.
    pub(super) fn more_calls(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let Some((offer, operation)) = samples(offers).find(|(_, o)| !o.is_per_call()) else {
            return Ok(0);
        };
        let Some(mut cell) = Cell::made(&mut worker, offer, operation, Contract::Hot, BYTES[1])
        else {
            return Ok(0);
        };
        if cell.open(&mut worker, 1)?.is_none() {
            return Ok(0);
        }
        let mut least = |calls| -> Result<u64, String> {
            let mut times = Vec::new();
            for _ in 0..5 {
                times.push(cell.time(&mut worker, calls)?);
            }
            Ok(times.into_iter().min().unwrap_or(0))
        };
        let mut calls = 1;
        while least(calls)? < 200_000 && calls < 1 << 30 {
            calls *= 4;
        }
        let (few, many) = (least(calls)?, least(calls * 8)?);
        if many < 3 * few {
            let calls8 = calls * 8;
            return Err(format!(
                "{calls} calls took {few} ns, {calls8} took {many} ns"
            ));
        }
        Ok(2)
    }

    /// Checks that the output of the last call is the output that `check` gives for the same
    /// message and nonce, after any number of calls.
    pub(super) fn nonces(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers).filter(is_exact) {
            for contract in [Contract::Hot, Contract::Keyed] {
                let made = Cell::made(&mut worker, offer, operation, contract, BYTES[0]);
                let Some(mut cell) = made.filter(|_| operation.allows(contract)) else {
                    continue;
                };
                // If an operation may have a nonce, but its work has none, the operation is a
                // stream cipher that continues its keystream.
                let nonce = !cell.work.bytes("nonce").is_empty();
                if operation.inputs.contains_key("nonce") && !nonce {
                    continue;
                }
                if cell.open(&mut worker, 1)?.is_none() {
                    continue;
                }
                let fresh = cell.vary.get("nonce").is_some_and(|step| step.goes_on());
                let mut before = 0;
                // If every call has the same nonce, a call may take long (PBKDF2), and more calls
                // would show nothing. With fresh nonces, the calls go past the end of the array of
                // nonces, where the nonces repeat.
                let most = if fresh { 511 } else { 4 };
                let steps = [(0, 1), (1, 2), (0, 250), (3, 4), (0, 511)];
                for (warm, calls) in steps.into_iter().filter(|(_, calls)| *calls <= most) {
                    before += warm + calls;
                    let message = if fresh { 1 + (before - 1) % RING } else { 0 };
                    let expected = cell.expected_of(&mut worker, message as u32)?;
                    if cell.last(&mut worker, warm, calls)? != expected {
                        return Err(format!(
                            "{} {} {}: call {before} has another answer than `check` of \
                             message {message}",
                            offer.primitive,
                            offer.operation,
                            contract.name()
                        ));
                    }
                }
                count += 1;
            }
        }
        Ok(count)
    }

    pub(super) fn several_cells(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut cells = Vec::new();
        for (index, (offer, operation)) in samples(offers).filter(is_exact).enumerate() {
            let made = Cell::made(
                &mut worker,
                offer,
                operation,
                Contract::Hot,
                BYTES[index % 2],
            );
            let Some(mut cell) = made else {
                continue;
            };
            cell.id = 1000 + index as u32;
            if let Some(digest) = cell.open(&mut worker, 1)? {
                cells.push((cell.id, digest));
            }
        }
        for (id, digest) in cells.iter().rev() {
            match worker.ask(&Request::Run { id: *id }, patience()) {
                Ok(Reply::Ran { digest: again, .. }) if again == *digest => {}
                other => return Err(format!("cell {id}, beside others: {}", said(&other))),
            }
        }
        Ok(cells.len())
    }

    pub(super) fn many(&self, offers: &[Offer]) -> Told {
        const MESSAGES: u32 = 5;
        let mut worker = self.begin()?;
        let mut count = 0;
        let extra = [Contract::Implicit, Contract::Many, Contract::ManyKeyed];
        for contract in extra {
            let with = offers
                .iter()
                .filter(|offer| offer.contracts.contains(&contract));
            let with: Vec<Offer> = with.cloned().collect();
            for (offer, operation) in samples(&with).filter(is_exact) {
                let Some(mut cell) = Cell::made(&mut worker, offer, operation, contract, BYTES[0])
                else {
                    continue;
                };
                let messages = if contract.is_many() { MESSAGES } else { 1 };
                let Some(digest) = cell.open(&mut worker, messages)? else {
                    continue;
                };
                let mut all = Vec::new();
                for index in 0..messages {
                    let request = check_of(cell.work.nth(index, &cell.vary));
                    match worker.ask(&request, patience()) {
                        Ok(Reply::Output { outputs }) => {
                            all.extend(outputs.values().flat_map(Data::to_vec));
                        }
                        other => return Err(unexpected(&request, &other)),
                    }
                }
                if fnv1a(&all) != digest {
                    return Err(format!(
                        "{} {} {}: another answer than of the messages one by one",
                        offer.primitive,
                        offer.operation,
                        contract.name()
                    ));
                }
                cell.time(&mut worker, 3)?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Checks that each call gives what `check` gives if its message is the output of the call
    /// before. A worker whose calls use the first message again gives another output.
    pub(super) fn chains(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for contract in [Contract::Latency, Contract::InPlace] {
            let taken: Vec<Offer> = offers
                .iter()
                .filter(|o| o.takes(contract))
                .cloned()
                .collect();
            for (offer, operation) in samples(&taken).filter(is_exact) {
                if !operation.allows(contract) {
                    continue;
                }
                let made = Cell::made(&mut worker, offer, operation, contract, BYTES[0]);
                let Some(mut cell) = made else { continue };
                let nonce = !cell.work.bytes("nonce").is_empty();
                if operation.inputs.contains_key("nonce") && !nonce {
                    continue;
                }
                let Some(digest) = cell.open(&mut worker, 1)? else {
                    continue;
                };
                let mut output = cell.output(&mut worker, cell.work.clone())?;
                let mut given = vec![digest];
                let mut expected = vec![fnv1a(&output)];
                let mut done = 0;
                for (warm, calls) in [(0, 1), (1, 1), (0, 2)] {
                    for _ in 0..warm + calls {
                        done += 1;
                        let work = cell.work.after(&output, done, &cell.vary);
                        output = cell.output(&mut worker, work)?;
                    }
                    given.push(cell.last(&mut worker, warm, calls)?);
                    expected.push(fnv1a(&output));
                }
                if given != expected {
                    return Err(format!(
                        "{} {} {}: other answers than `check` of each output in turn",
                        offer.primitive,
                        offer.operation,
                        contract.name()
                    ));
                }
                count += 1;
            }
        }
        Ok(count)
    }

    /// Checks that two threads make the calls of a sample, each all of them, or that the worker
    /// refuses threads.
    pub(super) fn threads(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers).filter(|(_, o)| !o.is_per_call()) {
            let made = Cell::made(&mut worker, offer, operation, Contract::Hot, BYTES[0]);
            let Some(mut cell) = made else { continue };
            let Some(digest) = cell.open(&mut worker, 1)? else {
                continue;
            };
            let request = Request::Time {
                id: cell.id,
                calls: 100,
                warm: 1,
                threads: 2,
                cpus: vec![0],
                digest: false,
            };
            match worker.ask(&request, patience()) {
                Ok(Reply::Timed {
                    ns: 1..,
                    digest: None,
                    ..
                }) => {}
                Ok(Reply::Unsupported { .. }) => continue,
                other => return Err(unexpected(&request, &other)),
            }
            let run = Request::Run { id: cell.id };
            match worker.ask(&run, patience()) {
                Ok(Reply::Ran { digest: again, .. })
                    if again == digest || !is_exact(&(offer, operation)) =>
                {
                    count += 1;
                }
                other => return Err(format!("after threads: {}", unexpected(&run, &other))),
            }
        }
        Ok(count)
    }
}
