//! Objects that a map does not have as the export of their level writes them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use worldview_core::Path;
use worldview_export::Encoding;
use worldview_export::level::tiled::{Field, Scalar, is_left_out, object_default, object_fields, property_name};
use worldview_wwd::Object;

use super::codes::{default_of, is_ignored, nearest};
use super::compare::{self, Sides};
use super::draft::Draft;
use super::objects::{FLIPPED, X, Y, flips, position};
use super::pictures::Pictures;
use super::saved::{Element, Kind};

/// An object of a map that is not as the export wrote it.
pub(super) struct Edited {
    /// Its path, and the words for its place.
    pub(super) path: Path,
    pub(super) place: String,
    /// With the values for which mistyped properties stand.
    pub(super) saved: Element,
    /// Its number in the plane of the original.
    pub(super) was: Option<usize>,
    /// Its number in the plane of the result, if changes do not move objects.
    pub(super) own: usize,
}

/// Compares objects that were edited with those of the exports of the result and of the original.
pub(super) fn compare(draft: &mut Draft, edited: &[Edited], [own, was]: [&[Object<'_>]; 2], pictures: &Pictures<'_>) {
    for object in edited {
        let (Some(own), was) = (own.get(object.own), object.was.and_then(|nth| was.get(nth))) else { continue };
        draft.path.clone_from(&object.path);
        draft.place.clone_from(&object.place);
        let given = plain(&object.saved, &[Some(own), was], pictures, draft.encoding);
        let own_fields = object_fields(own, draft.encoding);
        let was_fields = was.map(|was| object_fields(was, draft.encoding));
        let may_lack = |name: &str, _: &str| {
            let all = own_fields.iter().chain(was_fields.iter().flatten()).flatten();
            matches!(name.strip_prefix("wwd_"), Some(X | Y))
                || name.ends_with("_bytes")
                || all.filter(|(own, _)| property_name(own) == name).any(is_left_out)
        };
        let [own, none] = [as_element(&own_fields), Element::new(Kind::Object)];
        let (of, was) = match &was_fields {
            Some(was) => ("object", as_element(was)),
            None => ("new object", none),
        };
        let sides = Sides { of, own: &own, was: &was, known: &BTreeSet::new() };
        compare::element(draft, &given, &sides, &may_lack);
    }
}

/// Returns what the export says of an object.
fn as_element([attributes, properties]: &[Vec<Field<'_>>; 2]) -> Element {
    let mut new = Element::new(Kind::Object);
    new.attributes = attributes.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    for (name, value) in properties {
        new.properties.set(property_name(name).into_owned(), value.to_string());
    }
    new
}

/// Returns whether a map says of an object what the export says. Most objects are so.
pub(super) fn is_as_written(saved: &Element, object: &Object<'_>, pictures: &Pictures<'_>, encoding: Encoding) -> bool {
    let [attributes, properties] = object_fields(object, encoding);
    let given = plain(saved, &[Some(object), None], pictures, encoding);
    let is_so = |value: &Scalar<'_>, text: &str| match value {
        Scalar::Text(value) => value == text,
        Scalar::Int(value) => text.parse() == Ok(*value),
        Scalar::Bool(value) => text == if *value { "1" } else { "0" } || text == if *value { "true" } else { "false" },
        Scalar::Float(value) => text.parse() == Ok(*value),
    };
    let is_known = |(at, (name, value)): (usize, &(String, String))| {
        let is_own = attributes.iter().any(|(own, _)| own == name);
        let is_first = !given.attributes.iter().take(at).any(|(other, _)| other == name);
        is_first && (is_own || value == default_of(name) || is_ignored("object", name, value))
    };
    let has = |(name, value): &Field<'_>| given.properties.get(&property_name(name)).map(|text| is_so(value, text));
    let mut found = 0_usize;
    given.attributes.iter().enumerate().all(is_known)
        && attributes.iter().filter(|(name, _)| name != "id").all(|(name, value)| is_so(value, given.text(name)))
        && given.properties.odd.is_empty()
        && properties.iter().all(|field| match has(field) {
            Some(is_so) => {
                found = found.saturating_add(1);
                is_so
            }
            None => is_left_out(field),
        })
        && found == given.properties.iter().count()
}

/// Returns an object as a map without pictures has it: a point at its place, if the picture is that of an object of the level.
fn plain<'s>(
    saved: &'s Element,
    objects: &[Option<&Object<'_>>; 2],
    pictures: &Pictures<'_>,
    encoding: Encoding,
) -> Cow<'s, Element> {
    let Ok(Some(picture)) = pictures.get(saved) else { return Cow::Borrowed(saved) };
    let mut plain = saved.clone();
    let mut objects = objects.iter().flatten();
    // The place of a picture that is only flipped is the same.
    let draw_flags = objects.clone().nth(1).map_or_else(|| flips(saved), |was| was.draw_flags.get());
    let [x, y] = position(saved, Some(picture), draw_flags);
    let sizes = [picture.size, before(objects.clone().next_back(), pictures, encoding)];
    let size = Some(["width", "height"].map(|name| saved.number::<f64>(name)));
    let is_size = sizes.iter().any(|own| own.map(|own| own.map(f64::from)) == size) || picture.size.is_none();
    let is_shown = objects.any(|object| {
        let image_set = encoding.decode(object.image_set);
        let is_it = picture.image_set.eq_ignore_ascii_case(&image_set) && picture.is_shown_by(object.i.get());
        is_it && flips(saved) == object.draw_flags.get() & FLIPPED
    });
    // Where what is resized was, is not known.
    plain.attributes.retain(|(name, _)| match name.as_str() {
        "x" | "y" => is_size,
        "width" | "height" => !is_size,
        "gid" => !is_shown,
        _ => true,
    });
    if is_size {
        [("x", x), ("y", y)].into_iter().for_each(|(name, at)| plain.set(name, at.to_string()));
    }
    Cow::Owned(plain)
}

/// Returns the size of the picture that an object had.
pub(super) fn before(object: Option<&&Object<'_>>, pictures: &Pictures<'_>, encoding: Encoding) -> Option<[u32; 2]> {
    pictures.size_of(&encoding.decode(object?.image_set), object?.i.get())
}

/// Returns an object with the values for which mistyped properties probably stand, instead of their defaults.
pub(super) fn meant(saved: &Element, object: &Object<'_>, encoding: Encoding) -> Element {
    let own = as_element(&object_fields(object, encoding)).properties;
    let is_unknown = |name: &&str| own.get(name).is_none() && object_default(name).is_none();
    let mut held = saved.clone();
    for name in saved.properties.iter().map(|(name, _)| name).filter(is_unknown) {
        let near = nearest(name, own.iter().map(|(name, _)| name)).filter(|near| saved.properties.get(near).is_none());
        if let Some((name, value)) = near.and_then(|name| Some((name, own.get(name)?))) {
            held.properties.set(name.to_owned(), value.to_owned());
        }
    }
    held
}
