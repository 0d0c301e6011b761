//! The limits for REZ archives: their directories, and the pixels of their pictures.

/// An entry of a directory as the limit keeps it: 64 bytes.
pub type Entry<'a> = (&'a [u8], &'a [u8], [u32; 6]);

/// Follows the directories of an archive and the names of their entries, and keeps 64 bytes for each entry. Returns the number
/// of files and of directories, the root included, or `None` if the file ends before.
pub fn directory<'a>(file: &'a [u8], out: &mut Vec<Entry<'a>>) -> Option<(usize, usize)> {
    let word = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
    let text = |at: usize| {
        let rest = file.get(at..)?;
        rest.get(..rest.iter().position(|byte| *byte == 0)?)
    };
    out.clear();
    let (mut files, mut directories) = (0, 1);
    let mut open = vec![(word(131)?, word(135)?)];
    while let Some((start, size)) = open.pop() {
        let mut at = start as usize;
        let end = at.checked_add(size as usize)?;
        while at < end {
            let [kind, offset, size, time] = [word(at)?, word(at + 4)?, word(at + 8)?, word(at + 12)?];
            if kind == 1 {
                let name = text(at + 16)?;
                at += 17 + name.len();
                out.push((name, &[], [kind, offset, size, time, 0, 0]));
                directories += 1;
                open.push((offset, size));
            } else {
                let [id, extension, keys] = [word(at + 16)?, word(at + 20)?, word(at + 24)?];
                let name = text(at + 28)?;
                let comment = text(at + 29 + name.len())?;
                at += 30 + name.len() + comment.len() + 4 * keys as usize;
                out.push((name, comment, [kind, offset, size, time, id, extension]));
                files += 1;
            }
        }
    }
    Some((files, directories))
}

/// Decodes runs of equal pixels as a port to C does, pixel by pixel. Returns `None` if the stream or the picture ends before the
/// other.
pub fn repeats(stream: &[u8], pixels: &mut [u8]) -> Option<()> {
    let (mut from, mut to) = (0, 0);
    while to < pixels.len() {
        let token = *stream.get(from)?;
        from += 1;
        if token < 0xC0 {
            *pixels.get_mut(to)? = token;
            to += 1;
            continue;
        }
        let index = *stream.get(from)?;
        from += 1;
        for _ in 0..token & 0x3F {
            *pixels.get_mut(to)? = index;
            to += 1;
        }
    }
    Some(())
}

/// Decodes runs of skipped pixels and literals in the same way.
pub fn skips(stream: &[u8], pixels: &mut [u8]) -> Option<()> {
    let (mut from, mut to) = (0, 0);
    while to < pixels.len() {
        let token = *stream.get(from)?;
        from += 1;
        for _ in 0..token & 0x7F {
            *pixels.get_mut(to)? = if token >= 0x80 {
                0
            } else {
                from += 1;
                *stream.get(from - 1)?
            };
            to += 1;
        }
    }
    Some(())
}
