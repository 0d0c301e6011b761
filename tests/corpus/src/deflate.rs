//! A bit-at-a-time inflater for RFC 1950 and RFC 1951. Reports the output, and whether other inflaters may disagree
//! about the stream.
//!
//! Where the RFC does not say whether a stream is broken, this follows zlib, which the games embed; such streams are
//! marked [`odd`](Inflated::odd).

/// The result of inflating a zlib stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inflated {
    /// The output up to the end of the stream or the first error.
    pub bytes: Vec<u8>,
    /// The first error, or `None` if the stream is complete and its checksum matches.
    pub wrong: Option<&'static str>,
    /// Offset of the checksum, if the last block was complete.
    pub sum_at: Option<usize>,
    /// Whether other inflaters may judge the stream differently: it has an incomplete code, a code for more symbols
    /// than exist, a distance beyond the announced window, or an announced window beyond 32 KiB.
    pub odd: bool,
}

/// Inflates a stream. Output beyond `most` bytes is an error.
pub fn inflate(stream: &[u8], most: usize) -> Inflated {
    let mut out = Inflated::default();
    let (window, start) = match header(stream, &mut out) {
        Ok(window) => (window, 2),
        Err(why) => {
            out.wrong = Some(why);
            return out;
        }
    };
    let mut bits = Bits { bytes: stream, at: start * 8 };
    let mut done = Ok(false);
    while done == Ok(false) {
        done = block(&mut bits, &mut out, window, most);
    }
    if let Err(why) = done {
        out.wrong = Some(why);
        return out;
    }
    let end = bits.at.div_ceil(8);
    out.sum_at = Some(end);
    out.wrong = match stream.get(end..end + 4) {
        None => Some("the sum is cut"),
        Some(sum) if sum == adler32(&out.bytes).to_be_bytes() => None,
        Some(_) => Some("the sum is another"),
    };
    out
}

/// Computes Adler-32 as printed in section 8.2 of RFC 1950.
pub fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    (b << 16) | a
}

/// Returns the window size that the stream announces.
fn header(stream: &[u8], out: &mut Inflated) -> Result<usize, &'static str> {
    let &[method, flags, ..] = stream else { return Err("no header") };
    if (u32::from(method) * 256 + u32::from(flags)) % 31 != 0 || method & 15 != 8 {
        return Err("no zlib header");
    }
    if method >> 4 > 7 {
        out.odd = true;
        return Err("a window of more than 32 KiB");
    }
    if flags & 0x20 != 0 { Err("a dictionary is wanted") } else { Ok(1 << ((method >> 4) + 8)) }
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

const CUT: &str = "the stream breaks off";

impl Bits<'_> {
    fn bit(&mut self) -> Result<usize, &'static str> {
        let byte = self.bytes.get(self.at / 8).ok_or(CUT)?;
        let bit = (byte >> (self.at % 8)) & 1;
        self.at += 1;
        Ok(bit.into())
    }

    /// Reads a number, least significant bit first.
    fn number(&mut self, count: usize) -> Result<usize, &'static str> {
        (0..count).try_fold(0, |number, place| Ok(number | self.bit()? << place))
    }

    /// Decodes the next symbol: shorter codes come first, and codes of equal length are consecutive numbers.
    fn symbol(&mut self, code: &Code) -> Result<usize, &'static str> {
        let (mut number, mut first, mut before) = (0, 0, 0);
        for count in &code.counts[1..] {
            number = number * 2 + self.bit()?;
            first *= 2;
            if number < first + count {
                return Ok(code.symbols[before + number - first]);
            }
            first += count;
            before += count;
        }
        Err("no symbol has this code")
    }
}

/// A Huffman code: the number of codes of each length, and the symbols ordered by code length.
struct Code {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Code {
    /// Builds the code from code lengths. An incomplete code is an error unless it has no symbols at all, or `one` is
    /// set and its only code is one bit long.
    fn new(lengths: &[usize], one: bool, out: &mut Inflated) -> Result<Self, &'static str> {
        let mut counts = [0; 16];
        lengths.iter().filter(|&&length| length > 0).for_each(|&length| counts[length] += 1);
        let mut room = 1_i64;
        for count in &counts[1..] {
            room = room * 2 - i64::try_from(*count).unwrap_or(i64::MAX);
            if room < 0 {
                return Err("more codes than there is room for");
            }
        }
        if room > 0 {
            out.odd = true;
            let longest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
            // A code without symbols is fine as long as none is needed.
            if !one || longest > 1 {
                return Err("a code is not complete");
            }
        }
        let mut symbols: Vec<_> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[symbol]);
        Ok(Self { counts, symbols })
    }
}

/// Reads a block and returns whether it was the last.
fn block(bits: &mut Bits<'_>, out: &mut Inflated, window: usize, most: usize) -> Result<bool, &'static str> {
    let last = bits.bit()? == 1;
    match bits.number(2)? {
        0 => stored(bits, out, most)?,
        1 => {
            let lengths: Vec<_> = (0..288)
                .map(|symbol| [8, 9, 7, 8][[144, 256, 280, 288].partition_point(|&end| end <= symbol)])
                .collect();
            let (letters, distances) = (Code::new(&lengths, true, out)?, Code::new(&[5; 32], true, out)?);
            packed(bits, out, (&letters, &distances), window, most)?;
        }
        2 => {
            let (letters, distances) = codes(bits, out)?;
            packed(bits, out, (&letters, &distances), window, most)?;
        }
        _ => return Err("an unknown kind of block"),
    }
    Ok(last)
}

fn stored(bits: &mut Bits<'_>, out: &mut Inflated, most: usize) -> Result<(), &'static str> {
    bits.at = bits.at.next_multiple_of(8);
    let (length, inverse) = (bits.number(16)?, bits.number(16)?);
    if length != inverse ^ 0xFFFF {
        return Err("the lengths of a stored block contradict each other");
    }
    for _ in 0..length {
        let byte = bits.number(8)?;
        put(out, u8::try_from(byte).unwrap_or(0), most)?;
    }
    Ok(())
}

fn put(out: &mut Inflated, byte: u8, most: usize) -> Result<(), &'static str> {
    if out.bytes.len() >= most {
        return Err("more comes out than is wanted");
    }
    out.bytes.push(byte);
    Ok(())
}

/// Reads the two codes of a dynamic block.
fn codes(bits: &mut Bits<'_>, out: &mut Inflated) -> Result<(Code, Code), &'static str> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let (letters, distances) = (bits.number(5)? + 257, bits.number(5)? + 1);
    let count = bits.number(4)? + 4;
    if letters > 286 || distances > 30 {
        out.odd = true;
        return Err("codes for more symbols than there are");
    }
    let mut lengths = [0; 19];
    for &place in &ORDER[..count] {
        lengths[place] = bits.number(3)?;
    }
    let code = Code::new(&lengths, false, out)?;
    let mut lengths: Vec<usize> = Vec::new();
    while lengths.len() < letters + distances {
        let (length, times) = match bits.symbol(&code)? {
            16 => (*lengths.last().ok_or("nothing is there to repeat")?, 3 + bits.number(2)?),
            17 => (0, 3 + bits.number(3)?),
            18 => (0, 11 + bits.number(7)?),
            length => (length, 1),
        };
        lengths.extend(std::iter::repeat_n(length, times));
    }
    if lengths.len() > letters + distances {
        return Err("a length is repeated too often");
    }
    if lengths[256] == 0 {
        out.odd = true;
        return Err("no code for the end of the block");
    }
    Ok((Code::new(&lengths[..letters], true, out)?, Code::new(&lengths[letters..], true, out)?))
}

/// Decodes the data of a compressed block with its literal/length code and its distance code.
fn packed(
    bits: &mut Bits<'_>,
    out: &mut Inflated,
    (letters, distances): (&Code, &Code),
    window: usize,
    most: usize,
) -> Result<(), &'static str> {
    loop {
        let symbol = bits.symbol(letters)?;
        let length = match symbol {
            0..=255 => {
                put(out, u8::try_from(symbol).unwrap_or(0), most)?;
                continue;
            }
            256 => return Ok(()),
            257..=264 => symbol - 254,
            265..=284 => {
                let (extra, step) = ((symbol - 261) / 4, (symbol - 261) % 4);
                3 + ((4 + step) << extra) + bits.number(extra)?
            }
            285 => 258,
            _ => return Err("a length that there is not"),
        };
        let distance = match bits.symbol(distances)? {
            symbol @ 0..=3 => symbol + 1,
            symbol @ 4..=29 => {
                let extra = symbol / 2 - 1;
                1 + ((2 + symbol % 2) << extra) + bits.number(extra)?
            }
            _ => return Err("a distance that there is not"),
        };
        if distance > window {
            out.odd = true;
        }
        let from = out.bytes.len().checked_sub(distance).ok_or("a distance beyond the first byte")?;
        for at in from..from + length {
            put(out, out.bytes[at], most)?;
        }
    }
}
