//! Textures and their images.

use super::Writer;
use crate::island::spec::{ImageSpec, TextureSpec};

/// Writes the texture list at the end of a blob; only models have the skip word.
pub(super) fn texture_list(w: &mut Writer, skip: Option<u32>, list: &[TextureSpec], trailing: &[u8]) {
    // Set even if the blob gets no other labels, since the blob's first words refer to it.
    w.b.label("texture_count").u32_le(u32::try_from(list.len()).unwrap_or(u32::MAX));
    if let Some(skip) = skip {
        w.label("", "skip_textures").b.u32_le(skip);
    }
    entries(w, "", list);
    w.label("", "trailing").b.bytes(trailing);
    w.label("", "end");
}

/// Writes the global textures.
pub(super) fn textures(w: &mut Writer, at: &str, list: &[TextureSpec]) {
    w.label(at, "texture_count").count(list.len());
    entries(w, at, list);
}

fn entries(w: &mut Writer, at: &str, list: &[TextureSpec]) {
    let dot = if at.is_empty() { "" } else { "." };
    for (i, texture) in list.iter().enumerate() {
        let at = format!("{at}{dot}texture[{i}]");
        w.label(&at, "").text(&at, "name", &texture.name);
        image(w, &at, &texture.image);
        if let Some(second) = &texture.second {
            image(w, &format!("{at}.second"), second);
        }
    }
}

fn image(w: &mut Writer, at: &str, image: &ImageSpec) {
    w.label(at, "width").b.u32_le(image.width);
    w.label(at, "height").b.u32_le(image.height);
    w.label(at, "color_count").count(image.palette.len());
    w.label(at, "palette");
    for color in &image.palette {
        w.b.bytes(color);
    }
    w.label(at, "pixels").b.bytes(&image.pixels);
}
