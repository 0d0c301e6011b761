//! Recognizes the directory of WORLD.WDB.

/// Maximum number of references to check.
const ENOUGH: u32 = 64;

/// Maximum end of the last blob: 512 MiB, which is less than four letters read as a number.
const END: u64 = 0x2000_0000;

pub(super) fn sniff(bytes: &[u8]) -> bool {
    let mut given = Given { rest: bytes, at: 0 };
    let mut seen = Seen::default();
    let Ok(worlds @ 1..=4096) = given.word() else { return false };
    for number in 0..worlds {
        match world(&mut given, number == 0, &mut seen) {
            Ok(()) if seen.references() < ENOUGH => {}
            Ok(()) => return seen.make_sense(),
            Err(Stop::Wrong) => return false,
            // A directory is never the whole file, so the bytes are a prefix of the file, or the file is truncated.
            Err(Stop::End) => return seen.make_sense(),
        }
    }
    // No other format has nine such numbers in a row, whereas lists of names and offsets are common.
    if seen.models > 0 { seen.make_sense() } else { chunks(&mut given).is_ok() && seen.odd <= seen.sound }
}

/// Reads words and names from the available bytes.
struct Given<'a> {
    rest: &'a [u8],
    /// Number of bytes read.
    at: usize,
}

/// Why reading stopped: a value was wrong, or the bytes ended.
enum Stop {
    Wrong,
    End,
}

/// Statistics about the references.
#[derive(Default)]
struct Seen {
    sound: u32,
    odd: u32,
    /// Number of models among the plausible references.
    models: u32,
    /// Offset and end of the blob of the last reference.
    last: Option<(u64, u64)>,
}

impl<'a> Given<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], Stop> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Stop::End)?;
        self.rest = rest;
        self.at = self.at.saturating_add(len);
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, Stop> {
        Ok(self.take(4)?.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)))
    }

    fn count(&mut self) -> Result<u32, Stop> {
        self.word().and_then(|count| if count <= 0xFFFF { Ok(count) } else { Err(Stop::Wrong) })
    }

    /// Reads a counted name, and returns whether it is not empty.
    fn name(&mut self) -> Result<bool, Stop> {
        let len = self.word()?;
        if !(1..=128).contains(&len) {
            return Err(Stop::Wrong);
        }
        let rest = self.rest;
        match self.take(len as usize) {
            Ok([text @ .., 0]) if is_text(text) => Ok(!text.is_empty()),
            Ok(_) => Err(Stop::Wrong),
            // Check as much of the name as there is.
            Err(_) => Err(if is_text(rest) { Stop::End } else { Stop::Wrong }),
        }
    }

    /// Reads the counted name of a texture, without a NUL.
    fn texture_name(&mut self) -> Result<(), Stop> {
        let len = self.word()?;
        let name = self.take(len as usize)?;
        if (1..=128).contains(&len) && is_text(name) { Ok(()) } else { Err(Stop::Wrong) }
    }

    /// Reads the length and offset of a blob, and returns whether they are plausible.
    fn place(&mut self, seen: &mut Seen) -> Result<bool, Stop> {
        let (length, offset) = (u64::from(self.word()?), u64::from(self.word()?));
        let end = offset.saturating_add(length);
        let apart = |(start, stop)| (start, stop) == (offset, end) || offset >= stop || end <= start;
        let sound = length > 0 && offset >= self.at as u64 && end <= END && seen.last.is_none_or(apart);
        seen.last = Some((offset, end));
        Ok(sound)
    }

    /// Reads location, direction and up vector, and returns whether all numbers are plausible.
    fn numbers(&mut self) -> Result<bool, Stop> {
        let mut sound = true;
        for _ in 0..9 {
            let size = f32::from_bits(self.word()?).abs();
            sound &= size == 0.0 || (1e-12..=1e9).contains(&size);
        }
        Ok(sound)
    }
}

impl Seen {
    const fn references(&self) -> u32 {
        self.sound.saturating_add(self.odd)
    }

    const fn note(&mut self, sound: bool) {
        let counter = if sound { &mut self.sound } else { &mut self.odd };
        *counter = counter.saturating_add(1);
    }

    const fn make_sense(&self) -> bool {
        self.sound > self.odd
    }
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (b' '..=b'~').contains(byte))
}

fn world(given: &mut Given<'_>, is_first: bool, seen: &mut Seen) -> Result<(), Stop> {
    if !given.name()? && is_first {
        return Err(Stop::Wrong);
    }
    for _ in 0..given.count()? {
        given.name()?;
        let sound = given.place(seen)?;
        seen.note(sound);
        if seen.references() == ENOUGH {
            return Ok(());
        }
    }
    for _ in 0..given.count()? {
        given.name()?;
        let is_place = given.place(seen)?;
        given.name()?;
        let sound = given.numbers()? && is_place;
        given.take(1)?;
        seen.note(sound);
        seen.models = seen.models.saturating_add(sound.into());
        if seen.references() == ENOUGH {
            return Ok(());
        }
    }
    Ok(())
}

/// Checks the sizes and counts of the two chunks after the directory.
fn chunks(given: &mut Given<'_>) -> Result<(), Stop> {
    let right = |is_so| if is_so { Ok(()) } else { Err(Stop::Wrong) };
    let size = given.word()?;
    let count = given.word()?;
    // The count itself, and for each texture the length of its name, width, height and number of colors.
    let room = size.checked_sub(4).ok_or(Stop::Wrong)?;
    right(u64::from(count).saturating_mul(16) <= room.into() && u64::from(size) <= END)?;
    let textures = given.rest;
    if given.take(room as usize).is_err() {
        // The parts follow the textures, past the available bytes. But the name of the first texture must be valid.
        return Given { rest: textures, at: 0 }.texture_name();
    }
    let size = given.word()?;
    let (textures, count) = (given.word()?, given.word()?);
    // The offset of its textures, the number of parts, and the number of textures; for each part the lengths of its
    // name and of its list, and its end.
    let room = size.checked_sub(12).ok_or(Stop::Wrong)?;
    right((8..=size.saturating_sub(4)).contains(&textures) && u64::from(count).saturating_mul(12) <= room.into())
}
