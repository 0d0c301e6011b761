//! Recognizes the header of a WWD level.

pub(super) fn sniff(bytes: &[u8]) -> bool {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    if word(0) != Some(1524) {
        return false;
    }
    // Fields past the available bytes count as neither right nor wrong.
    let flags = word(4).zip(word(8)).map(|(reserved, flags)| reserved == 0 && flags <= 0xFF);
    let names = (bytes.len() > 16).then(|| [16, 80, 144].into_iter().all(|at| is_text(bytes, at)));
    let planes = word(732).zip(word(736)).map(|(count, offset)| (1..=0xFFFF).contains(&count) && offset >= 1524);
    let votes = [flags, names, planes];
    let count = |vote| votes.iter().filter(|&&given| given == Some(vote)).count();
    votes == [None; 3] || count(true) > count(false)
}

/// Returns whether a field of 64 bytes, or the available part of it, is text up to its NUL.
fn is_text(bytes: &[u8], at: usize) -> bool {
    let field = bytes.get(at..).unwrap_or(&[]);
    let field = field.get(..64).unwrap_or(field);
    field.iter().take_while(|&&byte| byte != 0).all(|byte| !byte.is_ascii_control())
}
