//! Loads a level as an engine wants it: `cargo run -p worldview --example level -- LEVEL.WWD`
use worldview::{Asset, Handle};

struct Plane {
    columns: usize,
    tiles: Vec<Option<u16>>,
    objects: Vec<(String, i32, i32)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Handle::open(std::env::args().nth(1).unwrap_or("samples/harbour.wwd".into()))?;
    let Asset::Level(level, _) = file.asset() else { return Err("not a level".into()) };
    for plane in level.planes() {
        let object = |object: worldview::Result<worldview::wwd::Object<'_>>| {
            object.map(|object| (object.logic.escape_ascii().to_string(), object.record.x.get(), object.record.y.get()))
        };
        let objects = plane.objects().iter().map(object).collect::<Result<_, _>>()?;
        let tiles = plane.tiles().iter().map(|tile| tile.frame()).collect();
        let plane = Plane { columns: plane.columns(), tiles, objects };
        println!("{} tiles in rows of {}, {} objects", plane.tiles.len(), plane.columns, plane.objects.len());
    }
    Ok(())
}
