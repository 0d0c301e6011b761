//! New pictures, made from what `show` says of others.

use worldview_corpus::rez::generate::{edge_pictures, pid};
use worldview_corpus::rez::naive::{self, NaivePicture};
use worldview_corpus::rng::Rng;
use worldview_corpus::sample;
use worldview_import::build::{Built, pid as made};
use worldview_inspect::{Options, Root, json};
use worldview_rez::{Picture, Pid, Rez};

/// Makes a picture again; `None` if it cannot be opened.
fn again(file: &[u8], is_raw: bool) -> Option<worldview_edit::Result<Vec<u8>>> {
    let pid = if is_raw { Pid::parse_rid(file) } else { Pid::parse(file) }.ok()?;
    let (format, mut document) = (if is_raw { "rid" } else { "pid" }, Vec::new());
    let options = Options { full: true, ..Options::default() };
    json::write(&Root::new(format, pid.source(), &Picture::Pid(pid)), &options, &mut document).ok()?;
    Some(made(&document).and_then(Built::complete))
}

/// What a picture says: everything but how its runs end.
fn content(file: &[u8], is_raw: bool) -> NaivePicture {
    let read = if is_raw { naive::rid(file) } else { naive::pid(file) };
    NaivePicture { overrun: 0, left: 0, editor: false, ..read.unwrap() }
}

#[test]
fn pictures_are_made_of_documents() {
    for seed in 0..200 {
        let picture = pid(&mut Rng::new(seed));
        for (file, is_raw) in [(picture.build(), false), (picture.build_rid(), true)] {
            let Some(made) = again(&file, is_raw) else { panic!("{seed} cannot be opened") };
            assert_eq!(content(&made.unwrap(), is_raw), content(&file, is_raw), "{seed}");
        }
    }
    for (extension, name, file) in edge_pictures() {
        let is_raw = extension == "RID";
        if let ("PID" | "RID", Some(Ok(made))) = (extension, again(&file, is_raw)) {
            assert_eq!(content(&made, is_raw), content(&file, is_raw), "{name}");
        }
    }
    // The runs are those of the tools of the games.
    let archive = sample("harbour.rez");
    let read = naive::archive(&archive).unwrap();
    let mut count = 0;
    for (path, file) in read.files().into_iter().filter(|(path, _)| path.ends_with(b".PID")) {
        let file = &archive[file.data.clone()];
        assert!(again(file, false).unwrap().unwrap() == file, "{}", path.escape_ascii());
        count += 1;
    }
    assert!(count > 20 && Rez::sniff(&archive), "{count}");
}

#[test]
fn what_no_picture_says_is_refused() {
    for (document, why) in [
        (r#"{"format": "pid", "width": 2, "height": 2, "pixels": ["0001"]}"#, "in 2 rows of 2 bytes"),
        (r#"{"format": "pid", "width": 2, "height": 2, "pixels": ["0001", "02"]}"#, "expected rows of 2 bytes"),
        (r#"{"format": "pid", "width": 4294967295, "height": 4294967295, "pixels": []}"#, "rows of 4294967295 bytes"),
        (r#"{"format": "pid", "width": 4294967295, "height": 4294967295}"#, "rows of 4294967295 bytes"),
        (r#"{"format": "pid", "width": -1, "height": 0}"#, "`width`: -1 does not fit"),
        (r#"{"format": "pid", "width": 0, "height": 0}"#, "no picture has 0 x 0 pixels"),
        (r#"{"format": "pid", "width": 1, "height": 1, "pixels": ["00"], "opacity": []}"#, "and `opacity`"),
        (
            r#"{"format": "pid", "width": 1, "height": 1, "pixels": ["00"], "opacity": ["ff"]}"#,
            "unknown member `opacity`",
        ),
        (r#"{"format": "pid", "width": 1, "height": 1, "pixels": ["00"], "tint": 1}"#, "unknown member `tint`"),
        (
            r##"{"format": "pid", "flags": 128, "width": 1, "height": 1, "pixels": ["00"], "palette": ["#112233"]}"##,
            "palette",
        ),
        (r#"{"format": "rid", "width": 1, "height": 1, "pixels": [3]}"#, "expected pairs of hexadecimal digits"),
        (r#"{"format": "pcx"}"#, "expected the format \"pid\""),
    ] {
        let error = made(document.as_bytes()).and_then(Built::complete).unwrap_err().to_string();
        assert!(error.contains(why), "{document}\n{error}\nexpected: {why}");
    }
}
