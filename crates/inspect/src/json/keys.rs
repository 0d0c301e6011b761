use crate::utf8;

/// The names of the fields of an element, ready to be written. The elements of a list have the same fields, usually.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: Vec<Key>,
    /// The number of the name that is expected next.
    next: usize,
}

#[derive(Debug)]
struct Key {
    name: Vec<u8>,
    json: Vec<u8>,
}

impl Keys {
    /// Expects the first name again.
    pub(super) const fn restart(&mut self) {
        self.next = 0;
    }

    /// Returns a name as [`escaped`] does.
    #[inline]
    pub(super) fn of(&mut self, name: &[u8]) -> &[u8] {
        if self.known.get(self.next).is_none_or(|key| key.name != name) {
            self.learn(name);
        }
        let key = self.known.get(self.next);
        self.next += 1;
        key.map_or(&[], |key| &key.json)
    }

    #[cold]
    fn learn(&mut self, name: &[u8]) {
        self.known.truncate(self.next);
        self.known.push(Key { name: name.to_vec(), json: escaped(&utf8(name)) });
    }
}

/// Returns a name between a comma and a colon.
pub(super) fn escaped(name: &str) -> Vec<u8> {
    let mut json = b",".to_vec();
    // Writing to a vector cannot fail.
    let _ = serde_json::to_writer(&mut json, name);
    json.push(b':');
    json
}
