use worldview_island::Name;

use super::Side;
use super::pairs::Pairs;
use super::report::Report;
use crate::Result;

/// What is done with two things that are the same: their numbers in the lists.
pub(super) type Look<'l> = &'l mut dyn FnMut(usize, usize, &mut Report<'_>) -> Result<()>;

/// Compares two lists of things that have names, whatever the names' case.
pub(super) fn compare(
    what: &str,
    left: &[Name<'_>],
    right: &[Name<'_>],
    report: &mut Report<'_>,
    look: Look<'_>,
) -> Result<()> {
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(|index| Some(left[index].key()), |index| Some(right[index].key()));
    matched(what, (left, right), &pairs, report, look)
}

/// Tells of two lists what is in one alone, and looks at what is in both.
pub(super) fn matched(
    what: &str,
    (left, right): (&[Name<'_>], &[Name<'_>]),
    pairs: &Pairs,
    report: &mut Report<'_>,
    look: Look<'_>,
) -> Result<()> {
    let encoding = report.encoding;
    let place =
        |index: usize, name: Name<'_>, report: &Report<'_>| format!("{what} {index} {}", report.short(name.text()));
    for pair in pairs.iter() {
        match pair {
            (Some(first), Some(second)) => {
                let place = place(first, left[first], report);
                report.within(format_args!("{place}"), |report| {
                    field("name", left[first], right[second], report);
                    look(first, second, report)
                })?;
            }
            (Some(first), None) => report.removed(format_args!("{}", place(first, left[first], report)), None),
            (None, Some(second)) => report.added(format_args!("{}", place(second, right[second], report)), None),
            (None, None) => {}
        }
    }
    let shown = move |name: Name<'_>| encoding.decode(name.text()).into_owned();
    report.order(&format!("{what}s"), pairs, |index| shown(left[index]), |index| shown(right[index]));
    Ok(())
}

/// Compares a name, with what is behind its NUL.
pub(super) fn field(field: &str, left: Name<'_>, right: Name<'_>, report: &mut Report<'_>) {
    if left.is_absent() == right.is_absent() {
        report.text(field, left.text(), right.text());
    } else {
        // To the game a name of no text is one, and a name that is absent is none.
        let (present, encoding) = (if left.is_absent() { right } else { left }, report.encoding);
        let (absent, text) = (Side::Value("absent"), encoding.decode(present.text()));
        let sides = (absent, Side::Text(&text));
        let (first, second) = if left.is_absent() { sides } else { (sides.1, sides.0) };
        report.changed(field, first, second);
    }
    if left.tail() != right.tail() {
        report.value(&format!("{field} behind NUL"), crate::hex(left.tail()), crate::hex(right.tail()));
    }
}
