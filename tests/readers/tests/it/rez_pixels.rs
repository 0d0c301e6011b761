//! Pictures with other pixels.

use worldview_corpus::rez::generate;
use worldview_corpus::rez::naive;
use worldview_corpus::rez::picture::{BmpSpec, PidSpec, SKIP_RUNS};
use worldview_corpus::rng::Rng;
use worldview_corpus::trial::rounds;
use worldview_rez::{Bmp, Pcx, Pid};

#[test]
fn a_picture_with_other_pixels_is_the_one_that_has_them() {
    for seed in 0..rounds(300) {
        let mut rng = Rng::new(seed);
        let (old, new) = (generate::pid(&mut rng), generate::pid(&mut rng));
        let expected = PidSpec { width: new.width, height: new.height, pixels: new.pixels.clone(), ..old.clone() };
        let file = old.build();
        // Trailing bytes may be further runs, which only the picture's size tells from them.
        let Ok(picture) = Pid::parse(&file) else { continue };
        let width = u32::try_from(new.width).unwrap();
        let made = picture.with_pixels(width, &new.pixels).unwrap();
        assert_eq!(made, expected.build(), "seed {seed}");
        // The naive reader finds them.
        let read = naive::pid(&made).unwrap();
        let skipped: Vec<bool> = read.skipped.clone();
        let pixels = read.pixels.iter().zip(&skipped).map(|(pixel, is_skipped)| (!is_skipped).then_some(*pixel));
        let key = if old.flags & worldview_corpus::rez::picture::KEY == 0 { 0 } else { old.key.to_le_bytes()[0] };
        let wanted = new.pixels.iter().map(|pixel| match pixel {
            None if old.flags & SKIP_RUNS == 0 => Some(key),
            pixel => *pixel,
        });
        assert!(pixels.eq(wanted), "seed {seed}");
        assert!(picture.with_pixels(width, &new.pixels[1..]).is_none() || width == 1, "no whole rows");
    }
}

#[test]
fn a_screen_or_bitmap_with_other_pixels_is_the_one_that_has_them() {
    for seed in 0..rounds(100) {
        let mut rng = Rng::new(seed);
        let (old, new) = (generate::bmp(&mut rng), generate::bmp(&mut rng));
        let file = old.build();
        let width = u32::try_from(new.width).unwrap();
        let made = Bmp::parse(&file).unwrap().with_pixels(width, &new.pixels).unwrap();
        let height = new.height.abs() * old.height.signum();
        // Both lists of pixels are in rows from the top.
        let expected = BmpSpec { width: new.width, height, pixels: new.pixels.clone(), colors: old.colors.clone() };
        assert_eq!(made, expected.build(), "seed {seed}");

        let (old, new) = (generate::pcx(&mut rng), generate::pcx(&mut rng));
        let file = old.build();
        let count = usize::from(new.width) * usize::from(new.height) * usize::from(old.planes);
        let pixels: Vec<u8> = new.pixels.iter().cycle().take(count).copied().collect();
        let made = Pcx::parse(&file).unwrap().with_pixels(new.width.into(), &pixels).unwrap();
        let read = naive::pcx(&made).unwrap();
        assert_eq!((read.pixels, read.palette), (pixels, naive::pcx(&file).unwrap().palette), "seed {seed}");
    }
}
