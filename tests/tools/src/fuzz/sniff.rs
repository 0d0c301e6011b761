//! Format detection by first bytes.

use worldview::wpd::Archive;
use worldview::wwd::{Level, Unpacker};
use worldview::{Container, Format, OpenError, Options, open};

use worldview_readers::MAX_LEN;

/// Packed levels that inflate to more are not opened: the fuzzer would spend its time there.
const MAX_SIZE: u64 = 1 << 17;

/// Detects the format, and opens the bytes as that format.
pub fn sniff(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let format = Format::sniff(data);
    assert_eq!(format == Some(Format::Wpd), data.starts_with(b"WPD\0"));
    if !data.starts_with(b"WPD\0") {
        assert_eq!(format == Some(Format::Wwd), is_level(data));
    }
    let start = Format::sniff(&data[..data.len().min(Format::SNIFF_LEN)]);
    // Only a database can have such long names that its first bytes are not enough.
    assert!(start == format || [start, format].map(|one| one.is_none_or(|one| one == Format::Island)) == [true; 2]);
    if Archive::parse(data).is_ok() {
        assert_eq!(format, Some(Format::Wpd));
    }
    let unpacker = Unpacker::new().max_inflate(MAX_SIZE);
    if unpacker.unpack(data).is_ok_and(|image| Level::parse(&image).is_ok()) {
        // A mostly implausible level can open and still not be recognized. Then it must not be recognized as anything
        // else.
        assert!(format.is_none_or(|format| format == Format::Wwd));
    }
    for lossy in [false, true] {
        let (options, mut image) = (Options { lossy, max_inflate: Some(MAX_SIZE), ..Options::new() }, Vec::new());
        let first = match open(data, "fuzz", &mut image, &options) {
            Ok(opened) => Ok(opened.kind().name()),
            Err(error) => Err((error, error.to_string().len())),
        };
        match (format, first) {
            (Some(Format::Wwd), Ok("level"))
            | (Some(Format::Wpd), Ok("table" | "archive"))
            | (Some(Format::Rez), Ok("archive"))
            | (Some(Format::Island), Ok("database"))
            | (Some(_), Err((OpenError::Format(_), 1..)))
            | (Some(Format::Wpd), Err((OpenError::Overwritten { is_known: true, .. }, 1..)))
            | (None, Err((OpenError::Overwritten { is_known: false, .. }, 1..)))
            | (None, Err((OpenError::Unknown | OpenError::Empty, 1..))) => {}
            (None, Err((OpenError::Container(container), 1..))) => {
                assert_eq!(Container::sniff(data), Some(container));
                assert!(!container.name().is_empty() && !container.advice().is_empty());
            }
            (format, first) => assert_eq!((format, Ok("as its format")), (None, first)),
        }
    }
}

/// Returns `true` if the bytes are a level, following the documentation of [`Format::sniff`].
fn is_level(data: &[u8]) -> bool {
    let word = |at: usize| {
        data.get(at..at + 4).map(|word| word.iter().rev().fold(0_u64, |all, &byte| all << 8 | u64::from(byte)))
    };
    if word(0) != Some(1524) {
        return false;
    }
    let (mut right, mut wrong) = (0, 0);
    let mut vote = |is_right| if is_right { right += 1 } else { wrong += 1 };
    if let (Some(reserved), Some(flags)) = (word(4), word(8)) {
        vote(reserved == 0 && flags < 256);
    }
    if data.len() > 16 {
        let is_text = |at: usize| {
            let field = &data[at.min(data.len())..(at + 64).min(data.len())];
            let text: Vec<u8> = field.iter().copied().take_while(|&byte| byte != 0).collect();
            text.iter().all(|&byte| byte >= 0x20 && byte != 0x7F)
        };
        vote(is_text(16) && is_text(80) && is_text(144));
    }
    if let (Some(count), Some(at)) = (word(732), word(736)) {
        vote((1..=65_535).contains(&count) && at >= 1524);
    }
    right > wrong || right + wrong == 0
}
