//! Buffers of Python, which are checked and converted to slices.
//!
//! A buffer cannot be freed or resized while it is exported, so a pointer into the buffer stays
//! valid. During a long call the GIL is released. The manual forbids other threads to change the
//! buffers of a running call, as the modules of Python's standard library do.
#![allow(unsafe_code)]

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use touchstone::InOutBuf;

use crate::error::LengthError;

/// The length in bytes from which a call releases the GIL. For shorter inputs, releasing the
/// GIL takes longer than the computation. `hashlib` has the same limit.
const LONG: usize = 2048;

/// A range of memory.
#[derive(Clone, Copy)]
struct Range {
    start: *mut u8,
    len: usize,
}

// SAFETY: a `Range` is a pointer and a length. The functions that make references from a `Range`
// state who may use the memory.
unsafe impl Send for Range {}

impl Range {
    fn of(bytes: &[u8]) -> Self {
        Self {
            start: bytes.as_ptr().cast_mut(),
            len: bytes.len(),
        }
    }

    fn of_buffer(buffer: &PyUntypedBuffer) -> PyResult<Self> {
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err(
                "the buffer is not contiguous; pass bytes(buffer)",
            ));
        }
        Ok(Self {
            start: buffer.buf_ptr().cast(),
            len: buffer.len_bytes(),
        })
    }

    /// Whether the ranges share a byte.
    fn meets(self, other: Self) -> bool {
        let (a, b) = (self.start.addr(), other.start.addr());
        let within = a.wrapping_sub(b) < other.len || b.wrapping_sub(a) < self.len;
        within && self.len != 0 && other.len != 0
    }

    /// # Safety
    ///
    /// The memory is valid for reads, and nothing writes it, while the result lives.
    unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the contract of this function; a pointer of a length above 0 is not NULL.
        unsafe { core::slice::from_raw_parts(self.start, self.len) }
    }

    /// # Safety
    ///
    /// The memory is valid for writes, and nothing else uses it, while the result lives.
    unsafe fn bytes_mut<'a>(self) -> &'a mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the contract of this function; a pointer of a length above 0 is not NULL.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// Part of the range, which must be within it.
    fn part(self, from: usize, len: usize) -> Self {
        debug_assert!(from + len <= self.len);
        Self {
            start: self.start.wrapping_add(from),
            len,
        }
    }
}

/// An object that has bytes: `bytes`, `bytearray`, `memoryview`, an array.
pub(crate) struct Input {
    range: Range,
    /// Keeps the memory in place.
    _buffer: PyUntypedBuffer,
}

impl Input {
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the buffer is exported while `self` lives. The manual forbids to change the
        // buffer during a call.
        unsafe { self.range.bytes() }
    }

    pub(crate) fn len(&self) -> usize {
        self.range.len
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(&object)?;
        Ok(Self {
            range: Range::of_buffer(&buffer)?,
            _buffer: buffer,
        })
    }
}

/// The bytes of an optional input.
pub(crate) fn optional(input: &Option<Input>) -> &[u8] {
    input.as_ref().map_or(&[], Input::bytes)
}

/// A buffer of the caller for the output.
pub(crate) struct Output {
    range: Range,
    /// Keeps the memory in place.
    _buffer: PyUntypedBuffer,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Output {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(&object)?;
        if buffer.readonly() {
            return Err(PyBufferError::new_err(
                "the output cannot be written; pass a bytearray or a writable memoryview",
            ));
        }
        Ok(Self {
            range: Range::of_buffer(&buffer)?,
            _buffer: buffer,
        })
    }
}

impl Output {
    /// The first `len` bytes. They must share no byte with `others`.
    fn room(&self, len: usize, others: &[Range]) -> PyResult<Range> {
        if self.range.len < len {
            return Err(LengthError::new_err(format!(
                "the output needs {len} bytes, and the buffer has {}",
                self.range.len
            )));
        }
        let room = self.range.part(0, len);
        if others.iter().any(|other| room.meets(*other)) {
            return Err(PyBufferError::new_err(
                "the output shares bytes with an input; only the message may be in the place of \
                 the result",
            ));
        }
        Ok(room)
    }
}

/// Runs a call without the GIL if it takes long.
pub(crate) fn released<T: Send>(
    py: Python<'_>,
    length: usize,
    call: impl FnOnce() -> T + Send,
) -> T {
    if length < LONG {
        call()
    } else {
        py.detach(call)
    }
}

/// Calls `write` with a new byte string of `len` bytes and returns the string, or with the first
/// `len` bytes of the caller's buffer and returns `len`. `work` is the number of bytes that the
/// call processes.
pub(crate) fn fill<E: Into<PyErr> + Send>(
    py: Python<'_>,
    into: Option<Output>,
    len: usize,
    (work, inputs): (usize, &[&[u8]]),
    write: impl FnOnce(&mut [u8]) -> Result<(), E> + Send,
) -> PyResult<Py<PyAny>> {
    let Some(output) = into else {
        let bytes = PyBytes::new_with(py, len, |out| {
            released(py, work, || write(out)).map_err(Into::into)
        })?;
        return Ok(bytes.into_any().unbind());
    };
    let inputs: Vec<Range> = inputs.iter().map(|input| Range::of(input)).collect();
    let room = output.room(len, &inputs)?;
    // SAFETY: the buffer is exported while `output` lives and shares no byte with an input. The
    // manual forbids to use the buffer during the call.
    let out = unsafe { room.bytes_mut() };
    released(py, work, || write(out)).map_err(Into::into)?;
    Ok(len.into_pyobject(py)?.into_any().unbind())
}

/// The place of a tag beside the message in an output.
#[derive(Clone, Copy)]
pub(crate) struct Beside {
    /// Bytes of tag.
    pub(crate) tag: usize,
    /// Whether the tag comes before the message.
    pub(crate) first: bool,
}

/// The place of no tag.
pub(crate) const ALONE: Beside = Beside {
    tag: 0,
    first: false,
};

/// [`fill`] for a call that transforms `data` to as many bytes, and writes a tag beside these
/// bytes. The result may take the place of `data` in memory. `others` are further inputs.
pub(crate) fn transform<E: Into<PyErr> + Send>(
    py: Python<'_>,
    into: Option<Output>,
    (data, others): (&Input, &[&[u8]]),
    part: core::ops::Range<usize>,
    beside: Beside,
    write: impl FnOnce(InOutBuf<'_, '_, u8>, &mut [u8]) -> Result<(), E> + Send,
) -> PyResult<Py<PyAny>> {
    let message = data.range.part(part.start, part.len());
    let work = message.len + others.iter().map(|other| other.len()).sum::<usize>();
    let size = message.len + beside.tag;
    let places = |room: Range| {
        let (tag, body) = if beside.first {
            (0, beside.tag)
        } else {
            (message.len, 0)
        };
        (room.part(tag, beside.tag), room.part(body, message.len))
    };
    let run = |(tag, body): (Range, Range)| {
        let call = move || {
            // SAFETY: both buffers are exported during the call. `body` and `message` are the
            // same memory or share no byte, and `tag` shares no byte with either, as the
            // callers of `run` see to. The manual forbids to use the buffers during the call.
            let (data, tag) = unsafe { (in_out(message, body), tag.bytes_mut()) };
            write(data, tag)
        };
        released(py, work, call).map_err(Into::into)
    };
    let Some(output) = into else {
        // The memory of a new byte string shares no byte with an input.
        let bytes = PyBytes::new_with(py, size, |out| run(places(Range::of(out))))?;
        return Ok(bytes.into_any().unbind());
    };
    let others: Vec<Range> = others.iter().map(|other| Range::of(other)).collect();
    let room = output.room(size, &others)?;
    let (tag, body) = places(room);
    let in_place = body.start == message.start && !message.meets(tag);
    if room.meets(message) && !in_place {
        return Err(PyBufferError::new_err(
            "the output overlaps the message; let the two be apart, or the result take the \
             place of the message",
        ));
    }
    run((tag, body))?;
    Ok(size.into_pyobject(py)?.into_any().unbind())
}

/// # Safety
///
/// The ranges have the same length, and are the same memory or share no byte. `input` is valid for
/// reads and `output` for writes, and nothing else uses them while the result lives.
unsafe fn in_out<'a>(input: Range, output: Range) -> InOutBuf<'a, 'a, u8> {
    if input.len == 0 {
        return InOutBuf::from(&mut [][..]);
    }
    // SAFETY: the contract of this function.
    unsafe { InOutBuf::from_raw(input.start, output.start, input.len) }
}
