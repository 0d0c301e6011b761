//! The codes of the account of an edited map, and the differences that it ignores.

use worldview_edit::codes;

use super::saved::CONTENT;

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
    /// The kind of element: `map`, `layer`, `chunk`, `tileset`, `pictures` (the tileset of the pictures of objects), `tile`, `shapes`,
    /// `shape`, `object`, `new object` or `property`; `absent from map` if only the absence is ignored, `content of map` for one with
    /// members of its own, and so on; `file` for what the file has between elements, and `order` for that of elements.
    pub of: &'static str,
    /// The names of attributes or members, with spaces between them.
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

/// Attributes that Tiled adds or changes by itself, or that only the editor shows. The comparison of a map with its export ignores them.
pub const IGNORED: &[Ignored] = ignored! {
    "map" {
        "version": "Tiled writes the version of its own format",
        "tiledversion": "Tiled writes its own version",
        "infinite": "how the cells are stored; planes have sizes of their own",
        "nextlayerid": "Tiled counts the layers it has made",
        "nextobjectid": "Tiled counts the objects it has made",
        "compressionlevel": "how the cells are stored",
        "backgroundcolor": "only the editor shows it",
    }
    "content of map" {
        "editorsettings": "Tiled's settings for exports and chunks",
    }
    "absent from map" {
        "class": "Tiled 1.8 does not keep it",
    }
    "layer" {
        "id": "Tiled numbers layers",
        "visible": "layers are hidden while editing; `no_draw` is the property of the level",
        "locked": "only the editor uses it",
        "color": "only the editor shows it",
        "encoding compression": "how the cells are stored",
        "width height": "in an infinite map, chunks have sizes of their own",
        "startx starty": "follow from the chunks",
        "draworder": "whether the order of objects is read: with `index` it is, with `topdown` the editor does not show it",
    }
    "chunk" {
        "x y width height": "the cells are read from where the chunk has them",
    }
    "tileset" {
        "firstgid": "Tiled renumbers tilesets",
        "tilecount": "Tiled counts the tiles of the picture",
        "columns": "Tiled counts the columns of the picture",
        "imagewidth imageheight": "Tiled reads the size of the picture",
        "version": "Tiled writes the version of its own format",
        "tiledversion": "Tiled writes its own version",
        "objectalignment": "the places of objects with its pictures are read with it",
    }
    "folder of tileset" {
        "image": "Tiled writes paths from the folder of the map",
    }
    "pictures" {
        "name": "the properties of its tiles show that it is the tileset of object pictures",
        "tilewidth tileheight": "Tiled takes the size of the largest picture",
    }
    "tile" {
        "id": "the property `frame` says which tile it is",
        "image": "the properties say which picture it is",
        "imagewidth imageheight": "the size of a picture only serves to recognize objects that were resized",
    }
    "absent from tile" {
        "type": "its property `attribute_kind` says the same; one of the two is enough",
    }
    "shapes" {
        "type": "in JSON, every list of objects has this type",
        "id": "Tiled numbers layers",
        "draworder": "shapes have no order in a level, except that the last of several on one pixel counts",
        "color": "only the editor shows it",
    }
    "shape" {
        "id": "Tiled numbers objects",
        "type": "shapes are compared as pixels with attributes; its property `attribute` says the same, and one of the two is enough",
        "x y width height": "shapes are compared as pixels",
    }
    "absent from object" {
        "bytes": "a text is the same as its bytes; if both are there, the one that changed counts",
    }
    "digits of object" {
        "x y": "Tiled keeps six digits; the properties `wwd_x` and `wwd_y` have all",
    }
    "object" {
        "id": "the number that says which object of the level it is",
        "point": "a point is an object without a size",
    }
    "new object" {
        "properties": "those of a copy are those of the object that it was copied from; its attributes say more",
    }
    "property" {
        "type propertytype": "the field decides how its value is read",
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

/// Returns whether an attribute with this value says nothing about a level.
pub(super) fn is_ignored(of: &str, name: &str, value: &str) -> bool {
    let is_row = |row: &&Ignored| row.name.split(' ').any(|own| own == name);
    IGNORED.iter().filter(is_row).any(|row| match row.of.strip_prefix("content of ") {
        Some(content) => content == of,
        None => row.of == of && value != CONTENT,
    })
}

/// Returns the value of an absent attribute, as Tiled defines it; empty if it has none.
pub(super) fn default_of(name: &str) -> &'static str {
    match name {
        "fillmode" => "stretch",
        "mode" => "normal",
        "opacity" | "parallaxx" | "parallaxy" | "visible" => "1",
        "orientation" => "orthogonal",
        "renderorder" => "right-down",
        "tilerendersize" => "tile",
        "height" | "id" | "width" | "x" | "y" | "margin" | "spacing" | "offsetx" | "offsety" | "parallaxoriginx"
        | "parallaxoriginy" | "rotation" => "0",
        _ => "",
    }
}

/// Returns the name that a mistyped one is most similar to, if there is one.
pub(super) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = if name.len() < 4 { 1 } else { 2 };
    let (distance, other) = crate::nearest::nearest(name, names)?;
    (1..=limit).contains(&distance).then_some(other)
}
