//! SplitMix64, implemented here so that a seed generates the same file forever.

/// A SplitMix64 generator, whose first choices a fuzzer can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
    /// Bytes that choose what comes next, the first at the end.
    given: Vec<u8>,
}

impl Rng {
    /// Starts the sequence for `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed, given: Vec::new() }
    }

    /// Starts a sequence that bytes choose, two for each number. When they are used up, it goes on as for the seed 0.
    pub fn of(bytes: &[u8]) -> Self {
        Self { state: 0, given: bytes.iter().rev().copied().collect() }
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let mut z = if let Some(low) = self.given.pop() {
            u64::from_le_bytes([low, self.given.pop().unwrap_or(0), 0, 0, 0, 0, 0, 1])
        } else {
            self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            self.state
        };
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        // The modulo bias is at most one in 2^32, which no test can notice.
        if end == 0 {
            return 0;
        }
        let [a, b, c, d, ..] = (self.next_u64() % end as u64).to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Returns a number in `low..high`, or `low` if that range is empty.
    pub fn range(&mut self, low: i32, high: i32) -> i32 {
        if high <= low {
            return low;
        }
        low.wrapping_add(self.below(high.abs_diff(low)) as i32)
    }

    /// Returns `true` with probability 1 in `n`.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Returns a random element of `list`, or `None` if it is empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let index = usize::try_from(self.below(count)).ok()?;
        list.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_sequence_matches_the_reference_implementation() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_in_range() {
        let mut rng = Rng::new(7);
        assert!((0..1000).all(|_| (-5..9).contains(&rng.range(-5, 9))));
        assert_eq!(rng.range(3, 3), 3);
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}
