//! Sealers and openers.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use strongbox::push::{Opener, Sealer};
use strongbox::{Limits, OpenOptions, System};

use crate::memory::{self, Writer};
use crate::settings::strongbox_settings;
use crate::status::{Error, Result, STRONGBOX_ERROR_CALL, code};

/// A sealer; `None` after its end or an error.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct strongbox_sealer(Option<Sealer>);

/// An opener; `None` after its end or an error.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct strongbox_opener(Option<Opener>);

/// The calls that sealers and openers have in common.
trait Stream: Sized {
    fn add(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> strongbox::Result<()>;
    fn end(self, output: &mut Vec<u8>) -> strongbox::Result<()>;
}

impl Stream for Sealer {
    fn add(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> strongbox::Result<()> {
        self.update(bytes, output)
    }

    fn end(self, output: &mut Vec<u8>) -> strongbox::Result<()> {
        self.finish(output)
    }
}

impl Stream for Opener {
    fn add(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> strongbox::Result<()> {
        self.update(bytes, output)
    }

    fn end(self, output: &mut Vec<u8>) -> strongbox::Result<()> {
        self.finish(output).map(drop)
    }
}

/// Pieces of this length are passed on, so that little is held at a time.
const PIECE: usize = 1 << 20;

/// Adds bytes, and gives what comes out to the program. After an error the stream is gone.
unsafe fn update<S: Stream>(
    stream: &mut Option<S>,
    bytes: *const u8,
    length: usize,
    writer: Writer,
    context: *mut c_void,
) -> Result<()> {
    // SAFETY: the header's contract of bytes.
    let bytes = unsafe { memory::bytes(bytes, length) }?;
    let mut this = stream.take().ok_or(Error(STRONGBOX_ERROR_CALL))?;
    for piece in bytes.chunks(PIECE) {
        let mut output = Vec::new();
        let added = this.add(piece, &mut output);
        // What came out before an error is genuine.
        // SAFETY: the program's function.
        unsafe { memory::write(writer, context, &output) }?;
        added?;
    }
    *stream = Some(this);
    Ok(())
}

unsafe fn finish<S: Stream>(
    stream: &mut Option<S>,
    writer: Writer,
    context: *mut c_void,
) -> Result<()> {
    let this = stream.take().ok_or(Error(STRONGBOX_ERROR_CALL))?;
    let mut output = Vec::new();
    let ended = this.end(&mut output);
    // SAFETY: the program's function.
    unsafe { memory::write(writer, context, &output) }?;
    Ok(ended?)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_sealer_new(
    sealer: *mut *mut strongbox_sealer,
    settings: *const strongbox_settings,
) -> c_int {
    let make = |settings: &strongbox_settings| -> Result<strongbox_sealer> {
        let sealer = Sealer::new(&settings.options(), &mut System::new()?)?;
        Ok(strongbox_sealer(Some(sealer)))
    };
    // SAFETY: the header's contract of handles.
    code(unsafe { memory::give(sealer, memory::object(settings).and_then(make)) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_sealer_update(
    sealer: *mut strongbox_sealer,
    content: *const u8,
    length: usize,
    writer: Writer,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header's contract of handles and of bytes.
    code(unsafe {
        memory::object_mut(sealer)
            .and_then(|sealer| update(&mut sealer.0, content, length, writer, context))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_sealer_finish(
    sealer: *mut strongbox_sealer,
    writer: Writer,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header's contract of handles.
    code(unsafe {
        memory::object_mut(sealer).and_then(|sealer| finish(&mut sealer.0, writer, context))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_sealer_free(sealer: *mut strongbox_sealer) {
    // SAFETY: the header's contract of handles.
    unsafe { memory::free(sealer) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_opener_new(
    opener: *mut *mut strongbox_opener,
    settings: *const strongbox_settings,
) -> c_int {
    let make = |settings: &strongbox_settings| -> Result<strongbox_opener> {
        let options = OpenOptions {
            senders: settings.senders.clone(),
            ..OpenOptions::default()
        };
        let opener = Opener::new(settings.identities(), Limits::default(), options);
        Ok(strongbox_opener(Some(opener)))
    };
    // SAFETY: the header's contract of handles.
    code(unsafe { memory::give(opener, memory::object(settings).and_then(make)) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_opener_update(
    opener: *mut strongbox_opener,
    sealed: *const u8,
    length: usize,
    writer: Writer,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header's contract of handles and of bytes.
    code(unsafe {
        memory::object_mut(opener)
            .and_then(|opener| update(&mut opener.0, sealed, length, writer, context))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_opener_finish(
    opener: *mut strongbox_opener,
    writer: Writer,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the header's contract of handles.
    code(unsafe {
        memory::object_mut(opener).and_then(|opener| finish(&mut opener.0, writer, context))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_opener_free(opener: *mut strongbox_opener) {
    // SAFETY: the header's contract of handles.
    unsafe { memory::free(opener) };
}
