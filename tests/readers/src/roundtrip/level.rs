//! Levels.

use worldview_corpus::trial::Trial;
use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::spec::LevelSpec;

use super::RULE;
use crate::{Verdict, holds};

/// Builds a level, which both readers must read alike, with the tiles and texts of the description.
pub fn level(spec: &LevelSpec) {
    let file = build(spec).bytes;
    let _trial = Trial::new(RULE, "a level", &file);
    let image = build_image(spec);
    let verdict = crate::wwd::agree(&file);
    // Thousands of image sets may exceed the budget of the naive reader.
    assert!(matches!(verdict, Ok(Verdict::Same | Verdict::TooMuch)), "{verdict:?}");
    holds(crate::wwd::lossy_keeps_its_word(&file));
    // From here on, the choice of the reader does not matter.
    let found = match naive::read(&file) {
        Ok(found) => found,
        Err(error) => return assert_eq!(verdict, Ok(Verdict::TooMuch), "{}", error.what),
    };
    assert!(found.image == image.bytes, "the image differs");
    assert_eq!(found.planes.len(), spec.planes.len());
    for (found, plane) in found.planes.iter().zip(&spec.planes) {
        assert!(found.tiles == plane.tiles && found.objects.len() == plane.objects.len());
        for (found, object) in found.objects.iter().zip(&plane.objects) {
            let texts = [&found.name, &found.logic, &found.image_set, &found.animation];
            assert_eq!(texts, [&object.name, &object.logic, &object.image_set, &object.animation]);
        }
    }
}
