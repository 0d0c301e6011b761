//! The objects of a plane, as arrays.

use std::collections::HashMap;

use serde::Deserialize;

use crate::answer::{Answer, Failed};
use crate::state::State;
use crate::work::CancelToken;

/// What the answer begins with.
const MAGIC: &[u8; 4] = b"WVO1";

#[derive(Deserialize)]
pub(in crate::api) struct Query {
    at: String,
    plane: usize,
    /// The name of edits of the level.
    edits: Option<String>,
}

/// Texts, each once.
#[derive(Default)]
struct Strings {
    list: Vec<String>,
    known: HashMap<Vec<u8>, u32>,
}

/// The objects of a plane: magic, the number of objects, and the length of the texts; then for each of their numbers
/// one value per object; then the texts as JSON.
pub(in crate::api) fn objects(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let session = state.edited_level(&query.at, query.edits.as_deref())?;
    let plane = session.plane(query.plane)?;
    // Edited or not, an object has the path that it has in the file.
    let original = state.level(&query.at)?;
    let ids = original.plane(query.plane)?.objects().into_iter().map_while(Result::ok).map(|object| object.id.get());
    let mut strings = Strings::default();
    let mut numbers: [Vec<i32>; 8] = Default::default();
    let mut texts: [Vec<u32>; 3] = Default::default();
    session.paint(query.plane, |painter| {
        // The list ends before an object that cannot be read, and the findings say why.
        let objects = plane.objects().iter().map_while(Result::ok).zip(ids);
        for ((object, id), placed) in objects.zip(painter.objects()) {
            cancel.check()?;
            let bound = |at: i64| i32::try_from(at).unwrap_or(if at < 0 { i32::MIN } else { i32::MAX });
            let values = [
                id,
                object.x.get(),
                object.y.get(),
                object.z.get(),
                bound(placed.columns.start),
                bound(placed.rows.start),
                bound(placed.columns.end),
                bound(placed.rows.end),
            ];
            numbers.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
            let names = [object.display_name(), object.logic, object.image_set];
            for (column, name) in texts.iter_mut().zip(names) {
                column.push(strings.index(state, name));
            }
        }
        Ok(())
    })?;
    let json = serde_json::to_vec(&strings.list).map_err(Failed::internal)?;
    let length = |count: usize| u32::try_from(count).map(u32::to_le_bytes).map_err(Failed::internal);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(length(numbers[0].len())?);
    bytes.extend(length(json.len())?);
    bytes.extend(numbers.iter().flatten().flat_map(|number| number.to_le_bytes()));
    bytes.extend(texts.iter().flatten().flat_map(|number| number.to_le_bytes()));
    bytes.extend(json);
    Ok(Answer::new("application/octet-stream", bytes))
}

impl Strings {
    fn index(&mut self, state: &State, text: &[u8]) -> u32 {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        // There are fewer texts than bytes in a level, whose offsets have 32 bits.
        let index = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(state.encoding.visible(text).into_owned());
        self.known.insert(text.to_vec(), index);
        index
    }
}
