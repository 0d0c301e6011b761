//! Prints a description as indented lines, for the tests of descriptions. Also reaches every element by its index.

use worldview_core::Error;
use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldName, FieldValue, Flow, Link, Notation, Part, PartKey, PartList, Role, Span,
    Visit,
};

/// Returns the contents of `body` with everything that is only in full dumps, one line for each field, array, list and element.
///
/// Each line has the value, and then whatever is not the default: hexadecimal notation, a role other than data, the
/// offset and length of the bytes, and the reference to them.
pub(crate) fn tree(body: &dyn Describe) -> Vec<String> {
    described(body, true)
}

/// Returns the contents of `body`, with what is only in full dumps if `bulk` is set.
pub(crate) fn described(body: &dyn Describe, bulk: bool) -> Vec<String> {
    let mut tree = Tree { lines: Vec::new(), bulk };
    assert_eq!(body.describe(&mut tree), Flow::Continue(()));
    tree.lines
}

struct Tree {
    lines: Vec<String>,
    bulk: bool,
}

fn value(value: &FieldValue<'_>) -> String {
    match value {
        FieldValue::Text(text) if text.usual => format!("{:?}", String::from_utf8_lossy(text.text)),
        FieldValue::Text(text) => format!("{:?} of {:02x?}", String::from_utf8_lossy(text.text), text.stored),
        FieldValue::Bytes(bytes) => format!("{bytes:02x?}"),
        other => format!("{other:?}"),
    }
}

fn rest(notation: Notation, role: Role, at: Option<Span>) -> String {
    let hex = if matches!(notation, Notation::Hex) { " hex" } else { "" };
    let role = if role == Role::Data { String::new() } else { format!(" {role:?}").to_lowercase() };
    format!("{hex}{role}{}", at.map_or(String::new(), |at| format!(" at {}+{}", at.at, at.len)))
}

fn element(part: &Part<'_>, bulk: bool) -> Vec<String> {
    let key = match part.key {
        PartKey::Name(name) => format!(" {}", name.escape_ascii()),
        PartKey::Number(number) => format!(" {number}"),
        PartKey::Index => String::new(),
    };
    let head = format!("{}{key}{}", part.index, rest(Notation::Decimal, Role::Data, part.at));
    let lines = described(part.body, bulk).into_iter().map(|line| format!("  {line}"));
    std::iter::once(head).chain(lines).collect()
}

impl Visit for Tree {
    fn wants_bulk(&self) -> bool {
        self.bulk
    }

    fn field(&mut self, field: &Field<'_>) -> Flow {
        let name = match field.name {
            FieldName::Static(name) => name.to_owned(),
            FieldName::Bytes(name) => name.escape_ascii().to_string(),
            FieldName::Bits { word, low, high } => format!("bits {low}..={high} of {word}"),
        };
        let reference = field.reference.map_or(String::new(), |to| format!(" by {to}"));
        let rest = rest(field.notation, field.role, field.at);
        self.lines.push(format!("{name} {}{rest}{reference}", value(&field.value)));
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let elements = match array.elements {
            Elements::Bytes(bytes) => format!("{bytes:02x?}"),
            elements => format!("{:x?}", (0..elements.len()).filter_map(|at| elements.bits(at)).collect::<Vec<_>>()),
        };
        let rows = if array.columns > 0 { format!(" in rows of {}", array.columns) } else { String::new() };
        self.lines.push(format!("{} {elements}{rows}{}", array.name, rest(Notation::Decimal, array.role, array.at)));
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        self.lines.push(format!("{}:", parts.list().name));
        parts.each(&mut |part| {
            let part = part.unwrap();
            let lines = element(part, self.bulk);
            let mut again = None;
            parts.get(part.index, part.offset(), &mut |part| again = Some(element(part, self.bulk)));
            assert_eq!(again.as_ref(), Some(&lines));
            self.lines.extend(lines.into_iter().map(|line| format!("  {line}")));
            Flow::Continue(())
        })
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        panic!("nothing here is linked")
    }

    fn broken(&mut self, error: &Error) -> Flow {
        self.lines.push(format!("broken: {error}"));
        Flow::Continue(())
    }
}
