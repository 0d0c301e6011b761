//! The string pool, and the arrays of offsets into it.

use std::collections::HashMap;

use super::Layout;
use crate::builder::count;
use crate::ff13::spec::{ArraysSpec, PoolSpec};

/// A string pool under construction.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, u32>,
    empties: Vec<u32>,
    empty_turn: usize,
    spec: PoolSpec,
}

impl Pool {
    /// Creates a pool that starts with the strings that the spec puts first.
    pub(crate) fn new(spec: &PoolSpec) -> Self {
        let bytes = if spec.leading_nul { vec![0] } else { Vec::new() };
        let mut pool = Self { bytes, known: HashMap::new(), empties: Vec::new(), empty_turn: 0, spec: spec.clone() };
        for text in &spec.first {
            if text.is_empty() {
                pool.bytes.push(0);
            } else {
                pool.offset(text);
            }
        }
        pool
    }

    /// Returns the offset of a string, adding it to the pool if necessary.
    pub(crate) fn offset(&mut self, text: &[u8]) -> u32 {
        if text.is_empty() {
            return self.empty();
        }
        if let Some(&offset) = self.known.get(text) {
            return offset;
        }
        let offset = count(self.bytes.len());
        self.bytes.extend(text);
        self.bytes.push(0);
        self.known.insert(text.to_vec(), offset);
        if self.spec.share_tails {
            for (start, tail) in (offset..).zip((0..text.len()).map(|i| &text[i..])) {
                self.known.entry(tail.to_vec()).or_insert(start);
            }
        }
        offset
    }

    fn empty(&mut self) -> u32 {
        let places = self.spec.empties;
        if places == 0 {
            let found = self.bytes.iter().position(|&byte| byte == 0);
            return found.map_or_else(|| self.nul(), count);
        }
        let turn = self.empty_turn;
        self.empty_turn += 1;
        if self.empties.len() < places {
            let place = self.nul();
            self.empties.push(place);
            return place;
        }
        self.empties[turn % places]
    }

    fn nul(&mut self) -> u32 {
        self.bytes.push(0);
        count(self.bytes.len() - 1)
    }

    /// Returns the bytes of the section.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.spec.open_end && self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// The string arrays under construction, one for each field that refers to one.
#[derive(Clone, Debug)]
pub(crate) struct Arrays {
    elements: Vec<Vec<Vec<u8>>>,
    spec: ArraysSpec,
}

impl Arrays {
    /// Creates arrays that start with the strings that the spec puts first.
    pub(crate) fn new(spec: &ArraysSpec, layout: &Layout) -> Self {
        let mut elements = spec.first.clone();
        elements.resize(layout.arrays, Vec::new());
        Self { elements, spec: spec.clone() }
    }

    /// Returns `true` if no field refers to an array.
    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns the index of a string in array `k`, appending it if necessary.
    pub(crate) fn index(&mut self, k: usize, text: &[u8], pool: &mut Pool) -> u32 {
        let array = &mut self.elements[k];
        let found = array.iter().position(|element| element == text);
        let index = found.unwrap_or_else(|| {
            // Adding it now instead of at the end keeps the pool in the order of the sheet.
            pool.offset(text);
            array.push(text.to_vec());
            array.len() - 1
        });
        count(index)
    }

    /// Returns the bytes of `!!strArray`, `!!strArrayInfo` and `!!strArrayList`.
    pub(crate) fn finish(&self, pool: &mut Pool) -> [Vec<u8>; 3] {
        let offsets: Vec<Vec<u32>> =
            self.elements.iter().map(|array| array.iter().map(|text| pool.offset(text)).collect()).collect();
        let largest = offsets.iter().flatten().copied().max().unwrap_or(0);
        let bits = self.spec.bits.map_or((32 - largest.leading_zeros()).max(1), u32::from);
        let per_word = self.spec.per_word.map_or(32_u32.checked_div(bits).unwrap_or(0), u32::from);
        let mask = if bits >= 32 { u32::MAX } else { (1 << bits) - 1 };
        let mut words = Vec::new();
        let mut list = Vec::new();
        for array in &offsets {
            list.extend(count(words.len()).to_be_bytes());
            for chunk in array.chunks(usize::try_from(per_word).unwrap_or(1).max(1)) {
                // Bits that a forced width pushes out of the word are lost, as in the game's own tool.
                let word = (0..).zip(chunk).fold(0, |word, (i, &offset)| {
                    word | (offset & mask).checked_shl(bits.saturating_mul(i)).unwrap_or(0)
                });
                words.extend(word.to_be_bytes());
            }
        }
        let [.., p] = per_word.to_be_bytes();
        let [.., b] = bits.to_be_bytes();
        [words, vec![0, 0, p, b], list]
    }
}
