//! A visitor that writes down what it is shown.

use std::fmt::Display;
use std::hash::{DefaultHasher, Hasher as _};

use worldview_core::Error;
use worldview_core::describe::{
    Array, Child, Children, Flow, GO, Leaf, LeafName, LeafValue, Likeness, Link, Role, Span, Visit,
};

/// Writes down all that is described, a line for each fact, and holds it against the file.
#[derive(Clone, Default)]
pub(crate) struct Record<'f> {
    pub(crate) file: &'f [u8],
    pub(crate) wants_bulk: bool,
    /// The path of the part that is recorded.
    pub(crate) at: String,
    pub(crate) lines: Vec<String>,
    /// The paths of elements, and what each is matched by in three rounds.
    pub(crate) likenesses: Vec<(String, [Option<u64>; 3])>,
}

impl<'f> Record<'f> {
    fn line(&mut self, name: &str, role: Role, value: impl Display) -> Flow {
        let role = if role == Role::Data { String::new() } else { format!(" ({role:?})") };
        self.lines.push(format!("{}{name}: {value}{role}", self.at));
        GO
    }

    fn inside(&self, at: Span) -> &'f [u8] {
        &self.file[usize::try_from(at.at).unwrap()..][..usize::try_from(at.len).unwrap()]
    }

    /// What is in one part.
    fn part(&self, list: &str, part: &Child<'_>) -> Self {
        let _ = part.at.map(|at| self.inside(at));
        let at = format!("{}{list}:{}/", self.at, part.index);
        let mut inner = Record { at, file: self.file, wants_bulk: self.wants_bulk, ..Record::default() };
        let _ = part.body.describe(&mut inner);
        inner
    }
}

impl Visit for Record<'_> {
    fn field(&mut self, field: &Leaf<'_>) -> Flow {
        let LeafName::Static(name) = field.name else { panic!("{field:?}") };
        if let (LeafValue::Text(text), Some(at)) = (field.value, field.at) {
            assert_eq!(self.inside(at), text.text);
        }
        let value = match field.value {
            LeafValue::Text(text) if text.usual => format!("\"{}\"", text.text.escape_ascii()),
            LeafValue::Text(text) => format!("\"{}\" in \"{}\"", text.text.escape_ascii(), text.stored.escape_ascii()),
            LeafValue::Absent => "Absent".into(),
            // Without the name of the variant.
            other => format!("{other:?}").split_once('(').unwrap().1.strip_suffix(')').unwrap().to_owned(),
        };
        self.line(name, field.role, value)
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let bits: Vec<_> = (0..array.elements.len()).filter_map(|index| array.elements.bits(index)).collect();
        self.line(array.name, array.role, format_args!("{} {bits:x?}", array.columns))
    }

    fn children(&mut self, parts: &dyn Children) -> Flow {
        let name = parts.list().name;
        parts.get(u32::MAX, 0, &mut |_| panic!("{name} has no such element"));
        parts.each(&mut |part| {
            let Ok(part) = part else { return self.broken(part.unwrap_err()) };
            let found = self.part(name, part);
            let mut again = Vec::new();
            parts.get(part.index, part.offset(), &mut |part| again = self.part(name, part).lines);
            assert_eq!(found.lines, again, "`get` of {}", found.at);
            let likeness = [0, 1, 2].map(|round| {
                let mut hasher = DefaultHasher::new();
                (parts.likeness(part, round, &mut hasher) == Likeness::Any).then(|| hasher.finish())
            });
            self.likenesses.push((found.at, likeness));
            self.lines.extend(found.lines);
            self.likenesses.extend(found.likenesses);
            GO
        })
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let target = link.target.map(|part| part.index);
        self.line(link.name, Role::Data, format_args!("-> {} {target:?}", link.kind))
    }

    fn broken(&mut self, error: &Error) -> Flow {
        self.line("broken", Role::Data, error.what)
    }

    fn wants_bulk(&self) -> bool {
        self.wants_bulk
    }
}
