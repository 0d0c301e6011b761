//! Every prefix of every sample is an error with an offset inside its space, or the full parse.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview::Space;
use worldview::wwd::{Level, unpack};
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
                    let space = match error.space {
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
