//! Fuzzes lines of the protocol: if a line can be read, then writing it and reading it again
//! gives the same message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_wire::{Reply, Request};

fuzz_target!(|text: &str| {
    if let Ok(request) = Request::parse(text) {
        let line = request.line();
        assert!(!line.contains('\n'), "{line}");
        let again = Request::parse(&line).expect("the lab wrote this line");
        assert_eq!(again.line(), line);
    }
    if let Ok(reply) = Reply::parse(text) {
        let line = reply.line();
        assert!(!line.contains('\n'), "{line}");
        let again = Reply::parse(&line).expect("the lab wrote this line");
        assert_eq!(again.line(), line);
    }
});
