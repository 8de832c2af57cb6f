//! A cell of the worker that is being checked, and the work that the checks put to the worker.

use std::collections::BTreeMap;

use touchstone_wire::{Contract, Data, Fields, Offer, Reply, Request, Vary, Work, fnv1a};

use crate::catalogue;
use crate::operations::{self, Check, Operation};
use crate::worker::{Fault, Worker, patience};

/// Message lengths in bytes for timed calls.
pub(super) const BYTES: [u64; 2] = [64, 1024];
/// Number of algorithms of each operation whose timing is checked.
const EACH: usize = 2;

/// Returns a few offers for each operation.
pub(super) fn samples(offers: &[Offer]) -> impl Iterator<Item = (&Offer, &'static Operation)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    offers.iter().filter_map(move |offer| {
        let operation = operations::find(&offer.operation)?;
        let _ = catalogue::columns(&offer.primitive)?;
        let count = counts.entry(&offer.operation).or_default();
        *count += 1;
        (*count <= EACH).then_some((offer, operation))
    })
}

/// Returns whether an offer's answers are the same from call to call.
pub(super) fn is_exact((offer, operation): &(&Offer, &'static Operation)) -> bool {
    catalogue::check(&offer.primitive, operation) == Check::Exact
}

/// Returns the work of a cell. The checked worker itself makes the inputs that another operation
/// must make. `None` if the worker does not accept the inputs.
pub(super) fn made(
    worker: &mut Worker,
    offer: &Offer,
    operation: &Operation,
    bytes: u64,
) -> Option<Work> {
    let bytes = if catalogue::takes(&offer.primitive, &offer.operation, bytes as usize) {
        bytes
    } else {
        catalogue::usual_bytes(&offer.primitive, &offer.operation)
    };
    operation.timed(&offer.primitive, bytes, &mut asking(worker))
}

pub(super) fn asking(worker: &mut Worker) -> impl FnMut(&Work) -> Option<BTreeMap<String, Data>> {
    |work| match worker.ask(&check_of(work.clone()), patience()) {
        Ok(Reply::Output { outputs }) => Some(outputs),
        _ => None,
    }
}

/// A cell of the worker that is being checked.
pub(super) struct Cell {
    pub(super) id: u32,
    contract: Contract,
    pub(super) vary: Vary,
    second: Fields,
    pub(super) work: Work,
}

impl Cell {
    pub(super) fn made(
        worker: &mut Worker,
        offer: &Offer,
        operation: &Operation,
        contract: Contract,
        bytes: u64,
    ) -> Option<Self> {
        let work = made(worker, offer, operation, bytes)?;
        let second = operation.second(&work, bytes, contract, &mut asking(worker))?;
        Some(Self {
            id: 7,
            contract,
            vary: operation.vary(contract),
            second,
            work,
        })
    }

    /// Opens the cell and returns its fingerprint; `None` if the worker does not support
    /// the parameters.
    pub(super) fn open(
        &mut self,
        worker: &mut Worker,
        messages: u32,
    ) -> Result<Option<u64>, String> {
        let request = Request::Open {
            id: self.id,
            contract: self.contract,
            messages,
            vary: self.vary.clone(),
            second: self.second.clone(),
            work: self.work.clone(),
        };
        match worker.ask(&request, patience()) {
            Ok(Reply::Opened { digest, .. }) => Ok(Some(digest)),
            Ok(Reply::Unsupported { .. }) => Ok(None),
            other => Err(unexpected(&request, &other)),
        }
    }

    /// Returns the fingerprint of the worker's answer to `check` for the same work.
    pub(super) fn expected(&self, worker: &mut Worker) -> Result<u64, String> {
        self.expected_of(worker, 0)
    }

    /// Returns the fingerprint of the answer of `check` for message i.
    pub(super) fn expected_of(&self, worker: &mut Worker, message: u32) -> Result<u64, String> {
        let output = self.output(worker, self.work.nth(message, &self.vary))?;
        Ok(fnv1a(&output))
    }

    /// Returns the output that the worker gives for a `check` request.
    pub(super) fn output(&self, worker: &mut Worker, work: Work) -> Result<Vec<u8>, String> {
        let request = check_of(work);
        match worker.ask(&request, patience()) {
            Ok(Reply::Output { outputs }) => Ok(outputs.values().flat_map(Data::to_vec).collect()),
            other => Err(unexpected(&request, &other)),
        }
    }

    pub(super) fn time(&self, worker: &mut Worker, calls: u64) -> Result<u64, String> {
        let request = Request::Time {
            id: self.id,
            calls,
            warm: 1,
            threads: 1,
            cpus: Vec::new(),
            digest: false,
        };
        match worker.ask(&request, patience()) {
            Ok(Reply::Timed { ns, .. }) => Ok(ns),
            other => Err(unexpected(&request, &other)),
        }
    }

    /// Returns the fingerprint of the output of a sample's last call.
    pub(super) fn last(&self, worker: &mut Worker, warm: u64, calls: u64) -> Result<u64, String> {
        let request = Request::Time {
            id: self.id,
            calls,
            warm,
            threads: 1,
            cpus: Vec::new(),
            digest: true,
        };
        match worker.ask(&request, patience()) {
            Ok(Reply::Timed {
                digest: Some(digest),
                ..
            }) => Ok(digest),
            other => Err(unexpected(&request, &other)),
        }
    }
}

pub(super) fn check_of(work: Work) -> Request {
    Request::Check { work }
}

pub(super) fn said(reply: &Result<Reply, Fault>) -> String {
    match reply {
        Ok(reply) => cut(&reply.line()),
        Err(fault) => fault.to_string(),
    }
}

pub(super) fn unexpected(request: &Request, reply: &Result<Reply, Fault>) -> String {
    format!("asked {}: {}", cut(&request.line()), said(reply))
}

pub(super) fn cut(line: &str) -> String {
    crate::text::visible(line, 240).into_owned()
}
