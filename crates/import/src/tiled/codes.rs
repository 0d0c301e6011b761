//! What the account of an edited map says, and what it is silent about.

use worldview_edit::codes;

codes! {
    /// The codes of maps of Tiled.
    pub CODES {
        UNKNOWN_PROPERTY = "tiled-unknown-property": "a property that levels do not have",
        ATTRIBUTE = "tiled-attribute": "an attribute has a value that levels cannot have",
        CONTRADICTION = "tiled-contradiction": "the map has two different values for one thing",
        LAYER = "tiled-layer": "a layer of a plane is missing, of an unknown type or in another order",
        SHAPE = "tiled-shape": "an object is rotated, resized or drawn as a shape",
        PICTURE = "tiled-picture": "an object shows a picture that objects cannot have",
        OUTSIDE = "tiled-outside": "tiles are painted outside their plane",
        TOO_MANY = "tiled-too-many": "the map adds more than 65536 objects",
        FOREIGN = "tiled-foreign": "a layer, tileset or annotation that is not part of the level",
        DERIVED = "tiled-derived": "a value that is derived from others, so it cannot be edited",
        ABSENT = "tiled-absent": "the map no longer has this; the level keeps it",
        ROUNDED = "tiled-rounded": "a fraction of a pixel or percent, which levels do not have",
        TILESET = "tiled-tileset": "a tileset was changed in a way that levels cannot store",
        OBJECTS_REMOVED = "tiled-objects-removed": "a plane no longer has an object layer; its objects are removed",
    }
}

/// Something of a map that is read over without a word: an attribute, or a member in JSON.
#[derive(Clone, Copy, Debug)]
pub struct Ignored {
    /// The kind of element: `map`, `pictures` (the tileset of the pictures of objects), `layer`, `tileset`, `tile`, `shapes`, `shape`, `object` or `property`; `absent from map` if only the
    /// absence is ignored, and so on; `file` for what the file has between elements, and `order` for that of elements.
    pub of: &'static str,
    /// The name of the attribute or member.
    pub name: &'static str,
    /// Why it says nothing about a level.
    pub why: &'static str,
}

/// Declares the table of what is ignored.
macro_rules! ignored {
    ($($of:literal { $($name:literal: $why:literal,)+ })+) => {
        &[$($(Ignored { of: $of, name: $name, why: $why },)+)+]
    };
}

/// What Tiled adds or changes by itself, or what only the editor shows. The comparison of a map with its export is silent about it.
pub const IGNORED: &[Ignored] = ignored! {
    "map" {
        "version": "Tiled writes the version of its own format",
        "tiledversion": "Tiled writes its own version",
        "infinite": "how the cells are stored; planes have sizes of their own",
        "nextlayerid": "Tiled counts the layers it has made",
        "nextobjectid": "Tiled counts the objects it has made",
        "compressionlevel": "how the cells are stored",
        "editorsettings": "Tiled's settings for exports and chunks",
        "backgroundcolor": "only the editor shows it",
    }
    "absent from map" {
        "class": "Tiled 1.8 does not keep it",
    }
    "layer" {
        "id": "Tiled numbers layers",
        "visible": "layers are hidden while editing; `no_draw` is the property of the level",
        "locked": "only the editor uses it",
        "color": "only the editor shows it",
        "encoding": "how the cells are stored",
        "compression": "how the cells are stored",
        "width": "in an infinite map, chunks have sizes of their own",
        "height": "in an infinite map, chunks have sizes of their own",
        "startx": "follows from the chunks",
        "starty": "follows from the chunks",
        "draworder": "whether the order of objects is read: with `index` it is, with `topdown` the editor does not show it",
    }
    "tileset" {
        "firstgid": "Tiled renumbers tilesets",
        "tilecount": "Tiled counts the tiles of the picture",
        "columns": "Tiled counts the columns of the picture",
        "imagewidth": "Tiled reads the size of the picture",
        "imageheight": "Tiled reads the size of the picture",
        "version": "Tiled writes the version of its own format",
        "tiledversion": "Tiled writes its own version",
        "objectalignment": "the places of objects with its pictures are read with it",
    }
    "folder of tileset" {
        "image": "Tiled writes paths from the folder of the map",
    }
    "pictures" {
        "name": "the properties of its tiles show that it is the tileset of object pictures",
        "tilewidth": "Tiled takes the size of the largest picture",
        "tileheight": "Tiled takes the size of the largest picture",
    }
    "tile" {
        "id": "the property `frame` says which tile it is",
        "image": "the properties say which picture it is",
    }
    "absent from tile" {
        "imagewidth": "the size of a picture only serves to recognize objects that were resized",
        "imageheight": "the size of a picture only serves to recognize objects that were resized",
    }
    "shapes" {
        "type": "in JSON, every list of objects has this type",
        "id": "Tiled numbers layers",
        "draworder": "shapes have no order in a level, except that the last of several on one pixel counts",
        "color": "only the editor shows it",
    }
    "shape" {
        "id": "Tiled numbers objects",
        "type": "the property `attribute` says the same; one of the two is enough",
    }
    "absent from object" {
        "bytes": "a text is the same as its bytes; if both are there, the one that changed counts",
    }
    "digits of object" {
        "x": "Tiled keeps six digits; the property `wwd_x` has all",
        "y": "Tiled keeps six digits; the property `wwd_y` has all",
    }
    "object" {
        "point": "a point is an object without a size",
    }
    "property" {
        "type": "the field decides how its value is read",
        "propertytype": "the field decides how its value is read",
    }
    "file" {
        "comment": "Tiled drops comments",
        "white space": "Tiled indents elements as it likes",
    }
    "order" {
        "properties": "Tiled sorts them by name",
        "tilesets": "Tiled numbers tiles in this order, and gids are read with these numbers",
        "tiles": "they have ids",
        "shapes": "they are compared as pixels",
        "objects": "in a layer with the draw order `topdown` the editor does not show it",
        "object layers": "levels do not store their place among the tile layers",
    }
};

/// The values of attributes that are absent, as Tiled defines them.
const DEFAULTS: &[(&str, &str)] = &[
    ("class", ""),
    ("color", ""),
    ("fillmode", "stretch"),
    ("height", "0"),
    ("margin", "0"),
    ("mode", "normal"),
    ("name", ""),
    ("offsetx", "0"),
    ("offsety", "0"),
    ("opacity", "1"),
    ("orientation", "orthogonal"),
    ("parallaxoriginx", "0"),
    ("parallaxoriginy", "0"),
    ("renderorder", "right-down"),
    ("rotation", "0"),
    ("spacing", "0"),
    ("terrains", ""),
    ("tilerendersize", "tile"),
    ("type", ""),
    ("visible", "1"),
    ("wangsets", ""),
    ("width", "0"),
    ("x", "0"),
    ("y", "0"),
];

/// Returns whether an attribute says nothing about a level.
pub(super) fn is_ignored(of: &str, name: &str) -> bool {
    IGNORED.iter().any(|ignored| ignored.of == of && ignored.name == name)
}

/// Returns the value of an absent attribute; empty if it has none.
pub(super) fn default_of(name: &str) -> &'static str {
    DEFAULTS.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

/// Returns the name that a mistyped one is most similar to, if there is one.
pub(super) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = if name.len() < 4 { 1 } else { 2 };
    let (distance, other) = crate::nearest::nearest(name, names)?;
    (1..=limit).contains(&distance).then_some(other)
}
