//! The codes of entries in the accounts of edited exports.

use worldview_core::codes;

codes! {
    /// The codes of pictures and models.
    pub PICTURES_AND_MODELS {
        COLORS_REDUCED = "colors-reduced": "a picture has more than 256 colors and was reduced to them",
        MODELS_MISSING = "models-missing": "the GLB of a world lacks models; their references stay",
        ANIMATED_NODE_MOVED = "animated-node-moved": "a node was moved whose keys decide where it stands",
        ANIMATION_MISSING = "animation-missing": "the GLB lacks an animation; that of the original stays",
    }
}
