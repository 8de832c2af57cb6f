//! The order of bits for the forms of DES that look S-boxes up in registers.
//!
//! A half (the left or the right 32 bits) of many blocks is stored in eight registers. Each byte of
//! register *d* has the six inputs of S-box *d* of one block, as the expansion E makes them.
//!
//! The expansion E copies some bits: the four outputs of an S-box become six inputs of S-boxes
//! in the next round. Draw this as a graph: on one side the S-boxes that give bits, on the
//! other side the registers that receive bits, and an edge for each of the 48 copied bits. Six
//! edges leave each S-box, and six edges arrive at each register. The edges of such a graph can
//! be coloured with six colours such that no two edges with the same colour leave the same
//! S-box or arrive at the same register. The colour of an edge is the bit position of the
//! copied bit, both in the output byte of the S-box's table and in the register. So one table
//! for each S-box gives all six bits at the positions where the next round needs them, and no
//! bit has to move.
//!
//! Each bit is one of the four middle inputs of one S-box, and P is such that two of the four outputs
//! of each S-box are an outer input, too: the first or the last of another S-box. So the edges of the
//! middle inputs alone have four ends at each S-box and at each register, and four colours are
//! enough for them. The other two colours are those of the outer inputs.

use super::table::s;
use super::{E, P};

/// Returns the number of the S-box output bit that the expansion E copies to input `i` of S-box
/// `d`.
pub(super) const fn source(d: usize, i: usize) -> usize {
    P[E[6 * d + i]] - 1
}

/// For each input of each S-box, the bit position of this input in its byte. The position is
/// the colour of the input's edge in the graph of the module's description. The code colours
/// one edge after the other. Let `a` be a colour that no edge at the S-box has, and `b` a
/// colour that no edge at the register has. For the outer inputs both are among the last two colours,
/// for the other inputs among the first four. If an edge at the register has colour `a`, the code
/// follows the path of edges with the colours `a` and `b` that begins at the register, and
/// exchanges the two colours on this path. The path cannot end at the S-box. Then no edge at
/// either end has colour `a`, and the new edge receives colour `a`.
pub(super) const PLACES: [[usize; 6]; 8] = {
    const NONE: usize = 48;
    let mut colours = [NONE; 48];
    // For each register and each S-box, the edge that has each colour.
    let mut into = [[NONE; 6]; 8];
    let mut out = [[NONE; 6]; 8];
    let mut edge = 0;
    while edge < 48 {
        let (d, from) = (edge / 6, source(edge / 6, edge % 6) / 4);
        let first = if matches!(edge % 6, 0 | 5) { 4 } else { 0 };
        let (mut a, mut b) = (first, first);
        while out[from][a] != NONE {
            a += 1;
        }
        while into[d][b] != NONE {
            b += 1;
        }
        // Removes the edges of the path, and adds them again with their colours exchanged.
        let mut path = [NONE; 48];
        let mut length = 0;
        let (mut at, mut colour) = (d, a);
        loop {
            let next = if length % 2 == 0 {
                into[at][colour]
            } else {
                out[at][colour]
            };
            if next == NONE {
                break;
            }
            path[length] = next;
            at = if length % 2 == 0 {
                source(next / 6, next % 6) / 4
            } else {
                next / 6
            };
            colour = a + b - colour;
            length += 1;
        }
        let mut i = 0;
        while i < length {
            let (d, from) = (path[i] / 6, source(path[i] / 6, path[i] % 6) / 4);
            into[d][colours[path[i]]] = NONE;
            out[from][colours[path[i]]] = NONE;
            i += 1;
        }
        let mut i = 0;
        while i < length {
            let (d, from) = (path[i] / 6, source(path[i] / 6, path[i] % 6) / 4);
            colours[path[i]] = a + b - colours[path[i]];
            into[d][colours[path[i]]] = path[i];
            out[from][colours[path[i]]] = path[i];
            i += 1;
        }
        assert!(into[d][a] == NONE && out[from][a] == NONE);
        colours[edge] = a;
        into[d][a] = edge;
        out[from][a] = edge;
        edge += 1;
    }
    let mut places = [[0; 6]; 8];
    let mut edge = 0;
    while edge < 48 {
        places[edge / 6][edge % 6] = colours[edge];
        edge += 1;
    }
    places
};

/// For each register and each bit position of its bytes, the S-box that computes this bit.
pub(super) const GIVERS: [[usize; 6]; 8] = {
    let mut givers = [[0; 6]; 8];
    let mut edge = 0;
    while edge < 48 {
        let (d, i) = (edge / 6, edge % 6);
        givers[d][PLACES[d][i]] = source(d, i) / 4;
        edge += 1;
    }
    givers
};

/// Returns what an S-box gives to the registers, at the positions of [`PLACES`]. The bits of `index`
/// are the inputs of the S-box, at these positions, too.
pub(super) const fn entry(from: usize, index: usize) -> u8 {
    let mut x = 0;
    let mut i = 0;
    while i < 6 {
        x |= (index >> PLACES[from][i] & 1) << (5 - i);
        i += 1;
    }
    let y = s(from, x);
    let mut entry = 0;
    let mut edge = 0;
    while edge < 48 {
        let (d, i) = (edge / 6, edge % 6);
        let output = source(d, i);
        if output / 4 == from {
            entry |= (y >> (3 - output % 4) & 1) << PLACES[d][i];
        }
        edge += 1;
    }
    entry
}
