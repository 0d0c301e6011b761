//! Outputs in memory.

use worldview_core::{Budget, Limit, OffsetBase};

use super::{Fill, FillOf, Note, Output, SHADOWED, Sink};
use crate::Error;

/// An output with its bytes; or what has none, by the name of the output or the path of a file in the asset, and why.
pub type Made<'o> = std::result::Result<(Output<'o>, Vec<u8>), (String, Error)>;

/// A sink that makes each output in memory and passes it to a function, which returns whether more are wanted.
///
/// Outputs that have nothing to show, such as the picture of a level without a main plane, are left out.
#[derive(Debug)]
pub struct InMemory<F> {
    take: F,
    /// Members may overlap, and thousands of them over the same bytes would take far more memory than the file.
    members: Budget,
    goes_on: bool,
}

impl<F: FnMut(Made<'_>) -> bool> InMemory<F> {
    /// Returns a sink for the outputs of a file of `length` bytes.
    pub fn new(length: u64, take: F) -> Self {
        let most = length.saturating_mul(16).saturating_add(1 << 20);
        Self { take, members: Budget::new(most, Limit::Overlap, "members that overlap"), goes_on: true }
    }

    fn pass(&mut self, made: Made<'_>) {
        self.goes_on = self.goes_on && (self.take)(made);
    }
}

impl<F: FnMut(Made<'_>) -> bool> Sink for InMemory<F> {
    fn one(&mut self, output: Output<'_>, fill: Fill<'_>) -> bool {
        if !self.goes_on {
            return false;
        }
        if let ("member", [from, ..]) = (output.of, &output.from[..])
            && let Err(error) = self.members.spend(output.size, from.offset, OffsetBase::File)
        {
            self.pass(Err((output.name, error.into())));
            return false;
        }
        let mut bytes = Vec::new();
        match fill(&mut bytes) {
            Ok(()) => self.pass(Ok((output, bytes))),
            Err(Error::Nothing { .. }) => {}
            Err(error) => self.pass(Err((output.name, error))),
        }
        self.goes_on
    }

    fn many(&mut self, outputs: Vec<Output<'_>>, fill: FillOf<'_>) {
        for (index, output) in outputs.into_iter().enumerate() {
            let (name, mut cut) = (output.name.clone(), None);
            self.one(output, &mut |out| {
                cut = fill(index, out)?.cut;
                Ok(())
            });
            if let Some(error) = cut {
                self.pass(Err((name, error.into())));
            }
            if !self.goes_on {
                return;
            }
        }
    }

    fn note(&mut self, note: Note<'_>) {
        match note {
            Note::Failed(path, error) => self.pass(Err((path.to_owned(), error))),
            Note::Shadowed(count) => {
                self.pass(Err((String::new(), Error::Picture { why: format!("{SHADOWED}: {count}") })));
            }
            // There is room for all.
            Note::Full => {}
        }
    }
}
