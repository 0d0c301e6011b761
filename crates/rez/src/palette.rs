use worldview_core::{ErrorKind, Result, Source};

use crate::raw::Palette;

impl Palette {
    /// Opens a PAL file: exactly 768 bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has another size.
    ///
    /// ```
    /// let file = [7; 768];
    /// assert_eq!(worldview_rez::Palette::parse(&file)?.colors[255], [7, 7, 7]);
    /// # Ok::<(), worldview_rez::Error>(())
    /// ```
    pub fn parse<'a>(source: impl Into<Source<'a>>) -> Result<&'a Self> {
        const WHAT: &str = "colors of a palette";
        let source = source.into();
        if source.len() > Self::SIZE {
            return Err(source.error(ErrorKind::TooLong { want: Self::SIZE }, WHAT, 0));
        }
        source.view(0, WHAT)
    }

    /// Returns the color of an index: red, green and blue.
    #[inline]
    pub fn color(&self, index: u8) -> [u8; 3] {
        self.colors.get(usize::from(index)).copied().unwrap_or_default()
    }
}
