use worldview_wwd::Level;

use super::{Opener, Visit};
use crate::asset::{Asset, Failed, Findings, Opened};

impl Opener<'_> {
    pub(super) fn level(&self, bytes: &[u8], scratch: &mut Vec<u8>, visit: Visit<'_>) {
        if self.outline {
            let outline = self.unpacker.outline(bytes, scratch);
            return visit(match &outline {
                Ok(outline) => Ok(Opened::new(Asset::Outline(outline), Findings::None)),
                Err(error) => Err(Failed::new(*error, Findings::None)),
            });
        }
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let file = if self.lossy {
            self.unpacker.unpack_lossy(bytes, &mut note)
        } else {
            self.unpacker.unpack_in(bytes, scratch)
        };
        let file = match &file {
            Ok(file) => file,
            Err(error) => return visit(Err(Failed::new(*error, Findings::Level(&findings)))),
        };
        // The level's own findings live as long as the image, the others as long as the file.
        let mut findings = findings.clone();
        let mut note = |finding| findings.push(finding);
        let level = if self.lossy { Level::parse_lossy(file, &mut note) } else { Level::parse(file) };
        let findings = Findings::Level(&findings);
        visit(match &level {
            Ok(level) => Ok(Opened::new(Asset::Level(level, file), findings)),
            Err(error) => Err(Failed::new(*error, findings)),
        });
    }
}
