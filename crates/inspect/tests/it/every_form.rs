use worldview_core::describe::{Describe, Flow, Span, Visit, visit_fields};
use worldview_core::{OffsetBase, Source};
use worldview_inspect::diff::{self, DiffOptions};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root, text};

use crate::every::{EveryForm, VALUES, every_form};

struct Body<'b>(&'b [u8]);

impl Describe for Body<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(self.0, EveryForm::FIELDS, Span::new(0, EveryForm::SIZE, OffsetBase::File), visitor)
    }
}

#[test]
fn every_form_is_shown_found_and_compared() {
    let (bytes, zeros) = (every_form(), [0; 47]);
    let root = |bytes| Source::new(bytes, OffsetBase::File);
    let (body, empty) = (Body(&bytes), Body(&zeros));
    let left = Root::new("test", root(&bytes), &body);
    let mut out = Vec::new();
    text::write(&left, &Options::default(), &mut out).unwrap();
    let shown = String::from_utf8(out).unwrap();
    for line in [
        "int -2",
        "uint 0x3 one two",
        "short 65535",
        "byte 255",
        "float 0.1",
        "unknown 0x1020304",
        "several 7 -8",
        "text \"name\"",
        "bytes 0102ff",
        "length 47",
    ] {
        assert!(shown.lines().any(|shown| shown.trim() == line), "{line}\n{shown}");
    }
    let mut fields = Vec::new();
    let right = Root::new("test", root(&zeros), &empty);
    diff::compare(&left, &right, &DiffOptions::default(), &mut |difference| {
        fields.push(difference.field.unwrap_or_default().to_owned());
    })
    .unwrap();
    assert_eq!(fields, VALUES.map(|(name, ..)| name));
    let mut found = Vec::new();
    find::search(&left, &Pattern::new("name"), &Options::default(), &mut |hit| found.push(hit.path.to_string()))
        .unwrap();
    assert_eq!(found, ["text"]);
}
