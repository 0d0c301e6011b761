//! The codes of entries in the accounts of edited exports.

use worldview_edit::codes;

codes! {
    /// The codes of pictures and models.
    pub PICTURES_AND_MODELS {
        COLORS_REDUCED = "colors-reduced": "a picture has more than 256 colors and was reduced to them",
        MODELS_MISSING = "models-missing": "the GLB of a world lacks models; their references stay",
        ANIMATED_NODE_MOVED = "animated-node-moved": "a node was moved whose keys determine its position",
        ANIMATION_MISSING = "animation-missing": "the GLB lacks an animation; that of the original stays",
        NOT_OPAQUE = "not-opaque": "a picture has pixels that are not opaque; textures have no transparency",
        COLORS_MATCHED = "colors-matched": "a picture has colors that the palette lacks; they became the nearest ones",
        NOT_IN_FORMAT = "not-in-format": "a picture has something that its format cannot store: a size, an opacity or a color of light",
        PICTURE_NOT_READ = "picture-not-read": "a picture has unknown data besides its pixels; it is not read",
        GLB_CHANGED = "glb-changed": "a GLB differs from the export in something that it cannot change",
        GLB_NOT_READ = "glb-not-read": "a GLB has something that the export does not have; it is not read",
        GEOMETRY_ELSEWHERE = "geometry-elsewhere": "the edited geometry belongs to another GLB",
        ATTRIBUTES_MISSING = "attributes-missing": "a mesh of a GLB lacks normals or texture coordinates; those of the original stay",
        NODE_MISSING = "node-missing": "a GLB lacks nodes or meshes of the export; those of the original stay",
        NODE_UNKNOWN = "node-unknown": "a GLB has a node that the export does not have",
    }
}

codes! {
    /// The codes of sheets and JSON.
    pub SHEETS {
        NOT_MENTIONED = "not-mentioned": "the source does not have these elements of the original; they stay",
        REMOVED = "removed": "the source does not have these elements of the original, and they are removed",
        FREE_ID = "free-id": "a new object without an id, or with one that is taken, gets the next free id; a new Gruntz switch gets the id of its tile if that is free",
        WORDS_NOT_READ = "words-not-read": "a column or member shows the words for keys; words are edited in the file that they come from",
        WORKSHEET_UNKNOWN = "worksheet-unknown": "a worksheet of a workbook has columns of no sheet of the original; it is not read",
        WHITE_SPACE = "white-space": "texts differ only in white space at their ends, which the program that saved the workbook loses",
        CONTROL_CHARACTERS = "control-characters": "the name of a new record has control characters",
    }
}
