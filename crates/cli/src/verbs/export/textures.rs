//! The export of `.tex` files.

use worldview::Format;
use worldview::island::{Texture, TextureFile};
use worldview_export::Result;
use worldview_export::model::{bmp, png};
use worldview_export::names::texture_stem;
use worldview_inspect::{Options, Root, json, text};

use super::failed_write::{report_failed_write, writes_nothing};
use super::{Shared, Task, kinds};
use crate::args::Kind;
use crate::open::Visit;
use crate::output::{Label, Origin, Taken, file_name};

impl Shared<'_> {
    pub(super) fn textures(&self, file: &TextureFile<'_>, visit: &Visit<'_, '_>, task: Task<'_, '_>) {
        let Task { output, to, done, outcome } = task;
        visit.say_left_out(outcome);
        done.counts.textures += 1;
        if let Some(why) = writes_nothing(Format::Tex, to) {
            return outcome.note(visit.path, &why);
        }
        let encoding = self.args.input.open.encoding;
        let root = Root::new("tex", file.source(), file);
        let options = Options { encoding, full: true, ..Options::default() };
        for kind in kinds(to) {
            let mut taken = Taken::default();
            let mut put =
                |name: &str, label: Label<'_>, fill: &mut dyn FnMut(&mut dyn std::io::Write) -> Result<()>| {
                    let written = output.write(name, label, |out| fill(out));
                    report_failed_write(visit.path, name, &output.path_of(name), written, outcome);
                };
            let whole = || {
                let from = vec![Origin { length: Some(file.source().len()), ..Origin::default() }];
                Label { kind: "textures", name: b"", text: String::new(), from }
            };
            match kind {
                Kind::Png | Kind::Bmp => {
                    for (index, texture) in file.textures().iter().enumerate() {
                        let name = texture.real_name();
                        let stem = match kind {
                            Kind::Png => texture_stem(&file_name(name)).to_owned(),
                            // isle-portable makes names small before it looks for `<name>.bmp`.
                            _ => file_name(&name.to_ascii_lowercase()),
                        };
                        let extension = if kind == Kind::Png { "png" } else { "bmp" };
                        let path = taken.take(format!("textures/{stem}.{extension}"));
                        let text = self.text(name);
                        let label = Label { kind: "texture", name, text, from: vec![origin(index, &texture)] };
                        put(&path, label, &mut |out| match kind {
                            Kind::Png => png::image(texture.image, out),
                            _ => bmp::image(texture.image, out),
                        });
                    }
                }
                Kind::Json => put("textures.json", whole(), &mut |out| Ok(json::write(&root, &options, out)?)),
                Kind::Text => put("textures.txt", whole(), &mut |out| Ok(text::write(&root, &options, out)?)),
                _ => {}
            }
        }
    }

    fn text(&self, name: &[u8]) -> String {
        let encoding: worldview_export::Encoding = self.args.input.open.encoding;
        encoding.decode(name).into_owned()
    }
}

fn origin(index: usize, texture: &Texture<'_>) -> Origin {
    Origin { part: Some("textures".to_owned()), index: Some(index), offset: texture.image.at, ..Origin::default() }
}
