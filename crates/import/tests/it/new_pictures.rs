//! New pictures, made from what `show` says of others.

use worldview_corpus::rez::generate::{bmp, edge_pictures, pcx, pid};
use worldview_corpus::rez::naive::{self, NaivePicture};
use worldview_corpus::rng::Rng;
use worldview_corpus::sample;
use worldview_import::build::{Built, picture as made};
use worldview_inspect::{Options, Root, json};
use worldview_rez::{Bmp, Pcx, Picture, Pid, Rez};

/// Makes a picture again; `None` if it cannot be opened.
fn again(file: &[u8], format: &str) -> Option<worldview_edit::Result<Vec<u8>>> {
    let picture = match format {
        "rid" => Picture::Pid(Pid::parse_rid(file).ok()?),
        "pid" => Picture::Pid(Pid::parse(file).ok()?),
        "bmp" => Picture::Bmp(Bmp::parse(file).ok()?),
        _ => Picture::Pcx(Pcx::parse(file).ok()?),
    };
    let (mut document, options) = (Vec::new(), Options { full: true, ..Options::default() });
    json::write(&Root::new(format, file.into(), &picture), &options, &mut document).ok()?;
    Some(made(&document).and_then(Built::complete))
}

/// What a picture says: everything but how its runs end.
fn content(file: &[u8], format: &str) -> NaivePicture {
    let read = match format {
        "rid" => naive::rid(file),
        "pid" => naive::pid(file),
        "bmp" => naive::bmp(file),
        _ => naive::pcx(file),
    };
    NaivePicture { overrun: 0, left: 0, editor: false, ..read.unwrap() }
}

#[test]
fn pictures_are_made_of_documents() {
    for seed in 0..200 {
        let picture = pid(&mut Rng::new(seed));
        let files = [
            (picture.build(), "pid"),
            (picture.build_rid(), "rid"),
            (pcx(&mut Rng::new(seed)).build(), "pcx"),
            (bmp(&mut Rng::new(seed)).build(), "bmp"),
        ];
        for (file, format) in files {
            let Some(made) = again(&file, format) else { panic!("{format} {seed} cannot be opened") };
            let made = made.unwrap();
            assert_eq!(content(&made, format), content(&file, format), "{format} {seed}");
            // Corpus and product pack lines alike.
            assert!(format != "pcx" || made == file, "{seed}");
        }
    }
    for (extension, name, file) in edge_pictures() {
        let format = extension.to_ascii_lowercase();
        if let ("PID" | "RID" | "PCX" | "BMP", Some(Ok(made))) = (extension, again(&file, &format)) {
            assert_eq!(content(&made, &format), content(&file, &format), "{name}");
        }
    }
    // The runs are those of the tools of the games.
    let archive = sample("harbour.rez");
    let read = naive::archive(&archive).unwrap();
    let mut count = 0;
    for (path, file) in read.files() {
        let format = if path.ends_with(b".PID") { "pid" } else { "pcx" };
        if format == "pcx" && !path.ends_with(b".PCX") {
            continue;
        }
        let file = &archive[file.data.clone()];
        assert!(again(file, format).unwrap().unwrap() == file, "{}", path.escape_ascii());
        count += 1;
    }
    assert!(count > 20 && Rez::sniff(&archive), "{count}");
}

/// Documents, and why they are refused.
const REFUSED: &str = r##"{"format": "pid", "width": 2, "height": 2, "pixels": ["0001"]} => in 2 rows of 2 bytes
{"format": "pid", "width": 2, "height": 2, "pixels": ["0001", "02"]} => expected rows of one length, found 2 and 1 elements
{"format": "pid", "width": 4294967295, "height": 4294967295, "pixels": []} => rows of 4294967295 bytes
{"format": "pid", "width": 4294967295, "height": 4294967295} => rows of 4294967295 bytes
{"format": "pid", "width": -1, "height": 0} => `width`: -1 does not fit
{"format": "pid", "width": 0, "height": 0} => no picture has 0 x 0 pixels
{"format": "pid", "width": 1, "height": 1, "pixels": ["00"], "opacity": []} => and `opacity`
{"format": "pid", "width": 1, "height": 1, "pixels": ["00"], "opacity": ["ff"]} => unknown member `opacity`
{"format": "pid", "width": 1, "height": 1, "pixels": ["00"], "tint": 1} => unknown member `tint`
{"format": "pid", "flags": 128, "width": 1, "height": 1, "pixels": ["00"], "palette": ["#112233"]} => `palette`: expected 256 colors, found 1
{"format": "pid", "flags": 128, "width": 1, "height": 1, "pixels": ["00"]} => `palette`: expected 256 colors, found 0
{"format": "rid", "width": 1, "height": 1, "pixels": [300]} => expected rows of pairs of hexadecimal digits, or of numbers
{"format": "pcx"} => the header is not that of a picture with these `pixels`
{"format": "pcx", "planes": 1, "bytes_per_line": 1, "pixels": ["00"], "palette": ["#112233"]} => `palette`: expected 256 colors, found 1
{"format": "pcx", "planes": 300, "pixels": []} => `planes`
{"format": "bmp", "planes": 1, "bits": 8, "width": 1, "height": -2, "pixels": ["00"], "palette": []} => in 2 rows of 1 bytes
{"format": "bmp", "planes": 1, "bits": 8, "width": 1, "height": 1, "color_count": 2, "pixels": ["00"], "palette": ["#112233"]} => `palette`: expected 2 colors, found 1
{"format": "wwd"} => expected the format "pid""##;

#[test]
fn what_no_picture_says_is_refused() {
    for (document, why) in REFUSED.lines().map(|line| line.split_once(" => ").unwrap()) {
        let error = made(document.as_bytes()).and_then(Built::complete).unwrap_err().to_string();
        assert!(error.contains(why), "{document}\n{error}\nexpected: {why}");
    }
}
