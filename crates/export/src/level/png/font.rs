//! Capitals of 5 x 7 dots.

/// The width of a letter in dots.
pub(super) const WIDTH: u32 = 5;
/// The height of a letter in dots.
pub(super) const HEIGHT: u32 = 7;

/// Returns the width of a word in dots: its letters, with a gap of one dot between them.
pub(super) const fn width(word: &str) -> u32 {
    let mut width = 0;
    let mut at = 0;
    while at < word.len() {
        width += WIDTH + if at == 0 { 0 } else { 1 };
        at += 1;
    }
    width
}

/// Returns the rows of a letter from top to bottom, with the leftmost dot in the highest of five bits. Empty for
/// anything but a capital letter.
pub(super) const fn glyph(letter: u8) -> [u8; HEIGHT as usize] {
    match letter {
        b'A' => [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        b'B' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
        b'C' => [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110],
        b'D' => [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
        b'E' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
        b'G' => [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111],
        b'H' => [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        b'I' => [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        b'J' => [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
        b'K' => [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
        b'L' => [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
        b'M' => [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
        b'N' => [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001],
        b'O' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        b'P' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
        b'R' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
        b'S' => [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
        b'T' => [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
        b'U' => [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        b'W' => [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b10101, 0b01010],
        b'Y' => [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
        _ => [0; HEIGHT as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::png::class::Class;

    #[test]
    fn every_letter_of_the_legend_is_there_and_no_two_look_alike() {
        let mut letters: Vec<u8> = Class::all()
            .flat_map(|class| class.word().bytes())
            .chain(*b"object")
            .map(|letter| letter.to_ascii_uppercase())
            .collect();
        letters.sort_unstable();
        letters.dedup();
        for (at, &letter) in letters.iter().enumerate() {
            assert_ne!(glyph(letter), [0; 7], "{}", char::from(letter));
            assert!(letters[..at].iter().all(|&before| glyph(before) != glyph(letter)), "{}", char::from(letter));
        }
    }
}
