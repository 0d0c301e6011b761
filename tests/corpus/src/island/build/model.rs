//! Models: animation, object tree, textures.

use super::{Writer, lods, texture_list};
use crate::builder::Built;
use crate::island::spec::{ActorSpec, KeySpec, LodsSpec, ModelSpec, NodeSpec, RoiSpec};

pub(super) fn model(spec: &ModelSpec, labelled: bool) -> Built {
    let mut w = Writer::new(labelled);
    w.label("", "version").b.u32_le(spec.version);
    w.label("", "texture_offset").b.ref_u32_le("texture_count");
    w.label("", "roi_count").b.u32_le(spec.roi_count);
    w.label("", "actor_count").count(spec.animation.actors.len());
    for (i, ActorSpec { name, kind }) in spec.animation.actors.iter().enumerate() {
        let at = format!("actor[{i}]");
        w.text(&at, "name", name);
        if !name.is_empty() {
            w.label(&at, "kind").b.u32_le(*kind);
        }
    }
    w.label("", "duration").b.i32_le(spec.animation.duration);
    node(&mut w, "node", &spec.animation.root);
    roi(&mut w, "roi", &spec.roi);
    w.label("", "tree_end").b.bytes(&spec.before_textures);
    texture_list(&mut w, Some(spec.skip_textures), &spec.textures, &spec.trailing);
    w.finish()
}

fn node(w: &mut Writer, at: &str, spec: &NodeSpec) {
    w.label(at, "");
    if let Some(raw) = &spec.raw {
        w.b.bytes(raw);
        return;
    }
    w.text(at, "name", &spec.name);
    keys(w, at, "translation", &spec.translations, |w, value| {
        w.floats(value);
    });
    keys(w, at, "rotation", &spec.rotations, |w, value| {
        w.floats(value);
    });
    keys(w, at, "scale", &spec.scales, |w, value| {
        w.floats(value);
    });
    keys(w, at, "morph", &spec.morphs, |w, value| {
        w.b.u8(*value);
    });
    w.label(at, "child_count").count(spec.children.len());
    for (i, child) in spec.children.iter().enumerate() {
        node(w, &format!("{at}.child[{i}]"), child);
    }
}

fn keys<T>(w: &mut Writer, at: &str, kind: &str, keys: &[KeySpec<T>], value: impl Fn(&mut Writer, &T)) {
    w.label(at, &format!("{kind}_count")).b.u16_le(u16::try_from(keys.len()).unwrap_or(u16::MAX));
    w.label(at, &format!("{kind}s"));
    for key in keys {
        w.b.u32_le(u32::from(key.flags) << 24 | key.time & 0xFF_FFFF);
        value(w, &key.value);
    }
}

fn roi(w: &mut Writer, at: &str, spec: &RoiSpec) {
    w.label(at, "");
    if let Some(raw) = &spec.raw {
        w.b.bytes(raw);
        return;
    }
    w.text(at, "name", &spec.name);
    w.label(at, "sphere").floats(&spec.center).floats(&[spec.radius]);
    w.label(at, "box").floats(&spec.minimum).floats(&spec.maximum);
    w.text(at, "texture", &spec.texture).label(at, "shared");
    match &spec.lods {
        LodsSpec::Shared(flag) => {
            w.b.u8(*flag);
        }
        LodsSpec::Own { lods: list, before_end } => {
            w.b.u8(0);
            w.label(at, "lod_count").count(list.len());
            if !list.is_empty() {
                w.label(at, "end_offset").b.ref_u32_le(format!("{at}.end"));
                lods(w, at, list);
                w.b.bytes(before_end).label(format!("{at}.end"));
            }
        }
    }
    w.label(at, "child_count").count(spec.children.len());
    for (i, child) in spec.children.iter().enumerate() {
        roi(w, &format!("{at}.child[{i}]"), child);
    }
}
