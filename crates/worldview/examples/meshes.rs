//! Decodes all meshes of a WORLD.WDB into four buffers, on all cores: `cargo run -p worldview --example meshes -- WORLD.WDB`
use worldview::Loader;
use worldview::island::{Database, Geometry};
use worldview::parallel::Parallel;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Loader::read().open(std::env::args().nth(1).unwrap_or("samples/world.wdb".into()))?;
    let database = Database::parse(&file)?;
    let contents = Parallel::new().contents(&database);
    let mut buffers = Geometry::default();
    buffers.resize(contents.counts());
    let decoded = Parallel::new().decode_meshes(&contents, buffers.target())?;
    for (mesh, decoded) in contents.lods().flatten().flat_map(|lod| lod.meshes).zip(decoded) {
        match decoded {
            Ok(first) => println!("{:?}: {} triangles from vertex {}", mesh.material, mesh.triangles, first.vertices),
            Err(error) => eprintln!("{error}"),
        }
    }
    Ok(())
}
