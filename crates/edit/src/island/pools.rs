use worldview_core::describe::{Array, Describe, Field, FieldName, FieldValue, Flow, Role, Visit};
use worldview_core::{Error, Path};

use crate::{Change, Changes, Value};

/// The pools of a level, and the references of a mesh to them, which descriptions leave out.
#[derive(Default, PartialEq)]
pub(super) struct Pools {
    /// Name, item, columns and elements of each array.
    arrays: Vec<(&'static str, &'static str, usize, Vec<u32>)>,
    numbers: Vec<u64>,
}

impl Pools {
    /// Adds the changes of the points of levels. Returns whether changes inside levels or meshes can say what differs between them.
    pub(super) fn compare(bodies: [&dyn Describe; 2], is_level: bool, path: &Path, changes: &mut Changes) -> bool {
        let [left, right] = bodies.map(|body| {
            let mut found = Self::default();
            let _ = body.describe(&mut found);
            found
        });
        if !is_level {
            return left == right;
        }
        let size = |pools: &Self| pools.arrays.iter().map(|(name, .., all)| (*name, all.len())).collect::<Vec<_>>();
        if size(&left) != size(&right) || left.numbers != right.numbers {
            return false;
        }
        for ((_, item, columns, old), (.., new)) in left.arrays.iter().zip(&right.arrays) {
            let points = old.chunks(*columns).zip(new.chunks(*columns));
            for (number, (old, new)) in (0..).zip(points).filter(|(_, (old, new))| old != new) {
                let point = |bits: &[u32]| Value::from(&*bits.iter().copied().map(f32::from_bits).collect::<Vec<_>>());
                let path = path.with(|path| path.push_nth(item.as_bytes(), number));
                changes.push(Change::Set { path, from: Some(point(old)), to: point(new) });
            }
        }
        true
    }
}

impl Visit for Pools {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let FieldName::Static(name) = field.name else { return Flow::Continue(()) };
        match (name, field.value) {
            ("vertex_count", FieldValue::Uint(count)) if field.role == Role::Data => self.numbers.push(count),
            ("has_uv_indices", FieldValue::Bool(has_indices)) => self.numbers.push(has_indices.into()),
            // Only a level with pools has these bits.
            ("unused_bits", _) => self.numbers.push(field.at.is_some().into()),
            _ => {}
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if array.at.is_some() {
            let elements = (0..array.elements.len()).map_while(|index| array.elements.bits(index)).collect();
            self.arrays.push((array.name, array.item, array.columns.max(1), elements));
        }
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}
