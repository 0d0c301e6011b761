//! Levels drawn with pictures of their game.

use worldview_corpus::drawn::scene;
use worldview_readers::Verdict;
use worldview_tools::drawn::agree;

#[test]
fn generated_levels_are_drawn_as_the_naive_painter_draws_them() {
    let mut drawn = 0;
    for seed in 0..400 {
        let scene = scene(seed);
        match agree(&scene.level, &scene.archive, None) {
            Ok(Verdict::Same) => drawn += 1,
            Ok(_) => {}
            Err(why) => panic!("scene {seed}: {why}"),
        }
    }
    assert!(drawn > 380, "only {drawn} of 400 levels are drawn");
}
