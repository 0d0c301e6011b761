//! Models as GLB, and pictures as PNG.

use worldview::Asset;
use worldview::rez::Rez;
use worldview_export::model::png;
use worldview_export::outputs::Item;
use worldview_export::rez as pictures;

use crate::answer::{Answer, Failed};
use crate::catalog::{with_image, write_glb};
use crate::files::Opened;
use crate::places::Place;
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of pixels of a picture.
const MAX_PIXELS: u64 = 1 << 26;

/// A world, model or part.
pub(super) fn glb(state: &State, place: &Place, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&place.at)?;
    let catalog = state.catalog(&opened)?;
    let item = catalog.find(&place.path).ok_or_else(|| Failed::missing("there is no such model"))?;
    let mut out = cancel.buffer();
    write_glb(&opened.handle, &catalog.items[item], state.encoding, &mut out)?;
    Ok(Answer::new("model/gltf-binary", out.into_bytes()))
}

/// A texture or picture.
pub(super) fn picture(state: &State, place: &Place, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&place.at)?;
    Ok(Answer::new("image/png", png_of(state, &opened, &place.path, cancel)?))
}

/// Returns a texture or picture as PNG.
pub(super) fn png_of(
    state: &State,
    opened: &std::sync::Arc<Opened>,
    path: &str,
    cancel: &CancelToken,
) -> Result<Vec<u8>, Failed> {
    let mut out = cancel.buffer();
    match opened.handle.asset() {
        Asset::Picture(picture) => {
            // The palette of a picture can be another file of its archive.
            let archive = state.open_file(&opened.path, b"").ok();
            let archive = archive.as_ref().and_then(|archive| archive.handle.rez());
            let palette = archive.and_then(|rez: &Rez<'_>| pictures::palette_of(rez, &rez.by_path(&opened.inside)?));
            // Pixels that end early are shown as far as they go; the findings say so.
            pictures::png(picture, palette, MAX_PIXELS, &mut out)?;
        }
        _ => {
            let catalog = state.catalog(opened).map_err(|_| Failed::invalid("is not a picture"))?;
            let item = catalog.find(path).ok_or_else(|| Failed::missing("there is no such texture"))?;
            let Some(Item::Texture(at)) = catalog.items[item].what else {
                return Err(Failed::invalid("is not a texture"));
            };
            with_image(&opened.handle, at, |image| png::image(image, &mut out))??;
        }
    }
    Ok(out.into_bytes())
}
