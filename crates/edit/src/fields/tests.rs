use worldview_core::OffsetBase;
use worldview_core::describe::visit_fields;

use super::every::{EveryForm, VALUES, every_form};
use super::*;

struct Body<'b>(&'b [u8]);

impl Describe for Body<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(self.0, EveryForm::FIELDS, Span::new(100, EveryForm::SIZE, OffsetBase::File), visitor)
    }
}

fn parsed(name: &str, text: &str) -> Value {
    match name {
        "several" => Value::Integers(text.split(' ').map(|part| part.parse().unwrap()).collect()),
        "text" => text.into(),
        "bytes" => Value::Bytes(crate::value::unhex(text).unwrap()),
        "float" => text.parse::<f32>().unwrap().into(),
        _ => Value::Integer(text.parse().unwrap()),
    }
}

#[test]
fn every_form_is_set_where_it_is_stored() {
    let bytes = every_form();
    let path = Path::new();
    for (name, old, new) in VALUES {
        let [from, to] = [old, new].map(|text| parsed(name, text));
        let wish = Wish { from: Some(&from), ..Wish::to(name.as_bytes().into(), &to, &path) };
        let mut draft = Draft::new(100, &bytes);
        set(&Body(&bytes), &[wish], &mut draft).unwrap();
        let edited = draft.finish();
        let info = EveryForm::FIELDS.iter().find(|info| info.name == name).unwrap();
        let end = info.offset + info.stored.size().unwrap();
        let is_outside = |index: &usize| !(info.offset..end).contains(index);
        assert!((0..bytes.len()).filter(is_outside).all(|index| bytes[index] == edited[index]), "{name}");
        let all: Vec<_> = values(&Body(&edited), None).0;
        assert!(all.contains(&(name.to_owned(), to)), "{name}: {all:?}");
    }
    let to = Value::from(1);
    for name in ["length", "implied"] {
        let wish = Wish::to(name.as_bytes().into(), &to, &path);
        set(&Body(&bytes), &[wish], &mut Draft::new(100, &bytes)).unwrap_err();
    }
}
