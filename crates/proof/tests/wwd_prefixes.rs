//! Every prefix of every sample is an error with an offset inside its space, or the full parse.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview::Space;
use worldview::wwd::{Level, outline, unpack};
use worldview_corpus::wwd::samples::samples;

/// Reads everything that has an end of its own; the tiles have been range-checked by `parse`.
fn read(file: &[u8]) -> worldview::Result<()> {
    let image = unpack(file)?;
    let level = Level::parse(&image)?;
    for plane in level.planes() {
        plane.image_sets().iter().try_for_each(|name| name.map(|_| ()))?;
        plane.objects().iter().try_for_each(|object| object.map(|_| ()))?;
    }
    Ok(())
}

#[test]
fn every_prefix_of_every_sample() {
    for (name, file) in samples() {
        let image = unpack(&file).unwrap();
        let block_end = image.trailing_at();
        let image_len = image.len() as u64;
        for len in 0..file.len() {
            let prefix = &file[..len];
            match read(prefix) {
                Ok(()) => assert!(len as u64 >= block_end, "{name}: {len} bytes of {} are no level", file.len()),
                Err(error) => {
                    let space = match error.space() {
                        Space::File => len as u64,
                        Space::Image => image_len,
                    };
                    assert!(error.at <= space, "{name}, {len} bytes: {error}");
                }
            }
        }
        assert_eq!(read(&file), Ok(()), "{name}");
    }
}

#[test]
fn the_first_kilobytes_are_enough_for_an_outline() {
    for (name, file) in samples() {
        let (mut whole, mut first) = (Vec::new(), Vec::new());
        let want = outline(&file, &mut whole).unwrap();
        assert_eq!(want.planes.len(), Level::parse(&unpack(&file).unwrap()).unwrap().planes().len(), "{name}");
        let found = outline(&file[..file.len().min(4096)], &mut first).unwrap();
        assert_eq!((found.header, found.planes), (want.header, want.planes), "{name}");
        // The header alone is not, but for a level without planes.
        assert!(outline(&file[..1524], &mut first).is_err() || want.planes.is_empty(), "{name}");
    }
}
