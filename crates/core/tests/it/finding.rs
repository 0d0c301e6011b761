//! Findings and places: codes, severities and messages.

use worldview_core::{Finding, FindingCode as _, OffsetBase, Place, Severity, findings};

findings! {
    /// Findings about a plate.
    pub enum Plate {
        /// A crack.
        Fatal "cracked" Cracked { pieces: u32 } => "in {pieces} pieces",
        /// A stain.
        Curious "stained" Stained => "has a stain",
    }
}

#[test]
fn severities_rise_and_have_words() {
    let words = [Severity::Curious, Severity::Suspicious, Severity::Fatal].map(Severity::name);
    assert_eq!(words, ["curious", "suspicious", "fatal"]);
    assert!(Severity::Curious < Severity::Suspicious && Severity::Suspicious < Severity::Fatal);
}

#[test]
fn a_table_of_findings_gives_codes_severities_and_messages() {
    assert_eq!(Plate::CODES, [("cracked", Severity::Fatal), ("stained", Severity::Curious)]);
    let cracked = Plate::Cracked { pieces: 3 };
    assert_eq!((cracked.code(), cracked.severity()), ("cracked", Severity::Fatal));
    assert_eq!((Plate::Stained.code(), Plate::Stained.severity()), ("stained", Severity::Curious));
    let place = Place::numbered("shelf", 2, b"Top").with("plate", Some(17), b"blue\xFF");
    let finding = Finding { kind: cracked, at: 1524, space: OffsetBase::Image, place };
    assert_eq!(
        finding.to_string(),
        "fatal [cracked] shelf 2 \"Top\", plate 17 \"blue\\xff\" at offset 1524 (0x5f4) of the unpacked image: in 3 pieces"
    );
    let finding = Finding { kind: Plate::Stained, at: 0, space: OffsetBase::File, place: Place::of("plate") };
    assert_eq!(finding.to_string(), "curious [stained] plate at offset 0 (0x0) of the file: has a stain");
}

#[test]
fn a_place_names_its_parts_from_the_outermost() {
    assert_eq!(Place::of("table").to_string(), "table");
    assert_eq!(Place::one("entry", None).to_string(), "entry");
    assert_eq!(Place::one("entry", Some(0)).to_string(), "entry 0");
    assert_eq!(Place::numbered("entry", 4, b"").to_string(), "entry 4");
    assert_eq!(Place::of("sheet").with_name(b"items").to_string(), "sheet \"items\"");
    let place = Place::of("a").with("b", Some(1), b"").with("c", None, b"x").with("d", Some(2), b"");
    assert_eq!(place.to_string(), "a, b 1, c \"x\", d 2");
    let parts: Vec<_> = place.parts().map(|part| (part.what, part.index, part.name)).collect();
    assert_eq!(parts, [("a", None, &b""[..]), ("b", Some(1), b""), ("c", None, b"x"), ("d", Some(2), b"")]);
    // A place holds four parts: a fifth replaces the fourth.
    assert_eq!(place.with("e", Some(3), b"").to_string(), "a, b 1, c \"x\", e 3");
}

#[test]
fn a_long_name_is_cut_and_says_so() {
    let bytes = [b'n'; 65];
    let shown = |len: usize| Place::of("p").with_name(&bytes[..len]).part.shown_name();
    assert_eq!(shown(0), (&b""[..], false));
    assert_eq!(shown(63), (&bytes[..63], false));
    assert_eq!(shown(64), (&bytes[..64], false));
    assert_eq!(shown(65), (&bytes[..64], true));
    let cut = Place::of("p").with_name(&bytes).to_string();
    assert_eq!(cut, format!("p \"{}\"…", "n".repeat(64)));
}
