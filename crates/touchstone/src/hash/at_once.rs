//! The last block of a message, written at once. If bytes of the message, mark and length are stores of
//! their own, the compression function's loads wait until all of them have reached the cache:
//! for a short message that is a third of the time. With AVX-512, each 64 bytes are one store.

#[cfg(target_arch = "x86_64")]
use crate::cpu::Avx512;

/// A block that begins at a cache line, so that no store spans two.
#[repr(align(64))]
pub(crate) struct Aligned<Block>(pub(crate) Block);

/// Writes the end of a message, which is shorter than the block, the mark after it, and zeros. If there
/// is a length, it replaces the last eight bytes.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
pub(crate) fn write(_: Avx512, block: &mut [u8], end: &[u8], mark: u8, length: Option<u64>) {
    use crate::simd::U8x64;

    // SAFETY: the token proves the features.
    unsafe { entry(block, end, mark, length) }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn entry(block: &mut [u8], end: &[u8], mark: u8, length: Option<u64>) {
        let (pieces, _) = block.as_chunks_mut::<64>();
        let last = pieces.len().wrapping_sub(1);
        for (i, piece) in pieces.iter_mut().enumerate() {
            let here = end.get(64 * i..).unwrap_or(&[]);
            // A load of nothing, from an address where nothing is, would take hundreds of cycles.
            let mut bytes = match here.len() {
                0 => U8x64::zero(),
                n => U8x64::load_first(&here[..n.min(64)]),
            };
            if end.len() / 64 == i {
                bytes = bytes.with_byte(end.len() % 64, mark);
            }
            if let (true, Some(length)) = (i == last, length) {
                bytes = bytes.with_last_u64(length);
            }
            bytes.store(piece);
        }
    }
}
