use std::collections::{BTreeMap, HashMap};

use crate::{Directory, File, PictureKind};

/// The image sets of a game: which picture the engine shows for the name of a set and the number of a frame.
/// See [Image sets](crate::format#image-sets).
///
/// `T` is what a frame refers to: a [`File`] of an archive, or whatever else a program takes pictures from.
///
/// ```
/// # fn main() -> worldview_rez::Result<()> {
/// # let file = include_bytes!("../../../samples/harbour.rez");
/// use worldview_rez::{Rez, Registry};
///
/// let archive = Rez::parse(file)?;
/// let mut registry = Registry::new();
/// let tiles = archive.directory("LEVEL1/TILES").expect("the sample has tiles");
/// registry.mount("", &tiles); // LEVEL1/TILES/ACTION/050.PID is frame 50 of ACTION
/// let action = registry.set("action").expect("there are tiles for the main plane");
/// assert!(action.frame(50).is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Registry<T> {
    sets: HashMap<Vec<u8>, ImageSet<T>>,
}

/// The frames of an image set. See [Image sets](crate::format#image-sets).
#[derive(Clone, Debug)]
pub struct ImageSet<T> {
    frames: BTreeMap<u32, T>,
}

impl<T> Default for Registry<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Registry<T> {
    /// Creates a registry without image sets.
    pub fn new() -> Self {
        Self { sets: HashMap::new() }
    }

    /// Adds a frame, unless the image set has that frame already: what is mounted first, wins.
    ///
    /// `directories` are the names of the directories below the mounted one, outermost first; `name` is that of the
    /// file without its extension. The name of the set consists of the prefix and the directories, joined by `_`.
    pub fn insert<D: AsRef<[u8]>>(&mut self, prefix: &str, directories: &[D], name: &[u8], frame: T) {
        let mut key = prefix.as_bytes().to_ascii_uppercase();
        for directory in directories {
            if !key.is_empty() {
                key.push(b'_');
            }
            key.extend(directory.as_ref().iter().map(u8::to_ascii_uppercase));
        }
        let set = self.sets.entry(key).or_insert_with(|| ImageSet { frames: BTreeMap::new() });
        set.frames.entry(frame_number(name)).or_insert(frame);
    }

    /// Returns the image set with this name, ignoring the case of ASCII letters.
    pub fn set(&self, name: impl AsRef<[u8]>) -> Option<&ImageSet<T>> {
        self.sets.get(&name.as_ref().to_ascii_uppercase())
    }

    /// Returns the image sets with their names, in no particular order.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = (&[u8], &ImageSet<T>)> {
        self.sets.iter().map(|(name, set)| (name.as_slice(), set))
    }

    /// Returns the number of image sets.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns whether there are no image sets.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }
}

impl<'v, 'a> Registry<File<'v, 'a>> {
    /// Adds all pictures below a directory of an archive, as [`insert`](Self::insert) does.
    pub fn mount(&mut self, prefix: &str, directory: &Directory<'v, 'a>) {
        let depth = directory.path().names().len();
        for file in directory.all_files().filter(|file| PictureKind::of_extension(file.extension()).is_some()) {
            let names = file.parent().path().names();
            self.insert(prefix, names.get(depth..).unwrap_or(&[]), file.name(), file);
        }
    }
}

impl<T> ImageSet<T> {
    /// Returns the frame with this number.
    pub fn frame(&self, number: u32) -> Option<&T> {
        self.frames.get(&number)
    }

    /// Returns the frame with the lowest number, which is what an object with the frame -1 shows.
    pub fn lowest(&self) -> Option<(u32, &T)> {
        self.frames.first_key_value().map(|(number, frame)| (*number, frame))
    }

    /// Returns what an object with this frame `i` shows: the lowest frame for -1, otherwise exactly that frame.
    pub fn shown(&self, i: i32) -> Option<&T> {
        match u32::try_from(i) {
            Ok(number) => self.frame(number),
            Err(_) if i == -1 => self.lowest().map(|(_, frame)| frame),
            Err(_) => None,
        }
    }

    /// Returns the frames with their numbers, in ascending order.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = (u32, &T)> + ExactSizeIterator {
        self.frames.iter().map(|(number, frame)| (*number, frame))
    }
}

/// Returns the frame number in the name of a picture: that of its first digits, or 0 if it has none.
pub fn frame_number(name: &[u8]) -> u32 {
    let digits = name.iter().skip_while(|byte| !byte.is_ascii_digit()).take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: u32, digit| number.saturating_mul(10).saturating_add(u32::from(digit.saturating_sub(b'0'))))
}

#[cfg(test)]
mod tests {
    use super::{Registry, frame_number};

    #[test]
    fn frames_are_numbered_by_the_first_digits() {
        for (name, number) in
            [("FRAME001", 1), ("001", 1), ("OFFICER12", 12), ("74", 74), ("A1B2", 1), ("BACK", 0), ("99999999999", !0)]
        {
            assert_eq!(frame_number(name.as_bytes()), number, "{name}");
        }
    }

    #[test]
    fn sets_are_found_by_the_whole_name() {
        let mut registry = Registry::new();
        registry.insert("LEVEL", &["ArrowSign_Right"], b"FRAME002", 'a');
        registry.insert("LEVEL", &["ARROWSIGN", "RIGHT"], b"FRAME002", 'b');
        registry.insert("LEVEL", &["ARROWSIGN", "RIGHT"], b"FRAME001", 'c');
        registry.insert("", &["ACTION"], b"001", 'd');
        let set = registry.set("level_arrowsign_right").unwrap();
        assert_eq!(set.frames().collect::<Vec<_>>(), [(1, &'c'), (2, &'a')], "what comes first wins");
        assert_eq!((set.shown(-1), set.shown(2), set.shown(3), set.shown(-2)), (Some(&'c'), Some(&'a'), None, None));
        assert_eq!(registry.set("Action").unwrap().lowest(), Some((1, &'d')));
        assert!(registry.set("LEVEL_ARROWSIGN").is_none());
    }
}
