use std::io::{self, Write};

use serde_json::json;
use worldview_export::Error;
use worldview_export::html::{Entry, Model, Page, Picture, Rows};

use super::support::{PLAIN, blocks, entries, page};

/// Names designed to break out of their context in the page.
pub(crate) const HOSTILE: [&str; 14] = [
    "</script><script>document.title='broken'</script>",
    "<!--<script>",
    "--></SCRIPT ><img src=x onerror=document.title='broken'>",
    "\"><svg onload=document.title='broken'>",
    "' onmouseover='document.title=1",
    "\\\"},{\\\"kind\\\":\\\"fake",
    "line\u{2028}and\u{2029}paragraph",
    "nul\0bell\u{7}escape\u{1b}[31m delete\u{7f} next\u{85}",
    "new\nline\r\ttab",
    "&lt;b&gt; &amp; &#60;",
    "{title} ${x} `x`",
    "javascript:document.title='broken'",
    "\u{202e}txt.exe\u{feff}",
    "\u{1F3DD} Insel \u{FFFD} \u{10FFFF}",
];

/// Every name can be read back from the page unchanged, and does not occur anywhere else.
#[test]
fn hostile_names() {
    for name in HOSTILE {
        let facts = [(name, name.to_owned()), ("plain", name.repeat(3))];
        let columns = [name, "b"];
        let rows = [vec![name.to_owned(), "1".to_owned()]];
        let links = [(name, "a.glb")];
        let model = Model::pack(b"model");
        let entry = Entry::new(name, name, name)
            .facts(&facts)
            .picture(Picture::new(b"picture").pixelated(true))
            .model(&model)
            .rows(Rows::new(&columns, &rows, 17))
            .links(&links);
        let summary = [(name, name.to_owned())];
        let page = page(name, &[entry, entry], &summary);
        let blocks = blocks(&page);
        let kinds: Vec<_> = blocks.iter().map(|block| block.opening.as_str()).collect();
        let of_entry = [
            "<script type=\"application/json\" class=\"entry\"",
            "<script type=\"text/plain\" class=\"picture\"",
            "<script type=\"text/plain\" class=\"model\"",
        ];
        let of_page = ["<script type=\"application/json\" id=\"summary\"", "<script type=\"module\"", "<script"];
        assert_eq!(kinds, [of_entry, of_entry, of_page].concat(), "{name:?}");
        for block in &blocks[..7] {
            // Nothing that could end a block, start a comment in it, or break its line.
            assert!(!block.text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{name:?}");
            assert!(!block.text.contains(char::is_control), "{name:?}");
        }
        assert_eq!(
            entries(&page),
            vec![
                json!({
                    "kind": name, "title": name, "source": name,
                    "facts": [[name, name], ["plain", name.repeat(3)]],
                    "picture": {"pixelated": true}, "model": true,
                    "rows": {"columns": [name, "b"], "rows": [[name, "1"]], "total": 17},
                    "links": [[name, "./a.glb"]],
                });
                2
            ]
        );
        assert_eq!(blocks[1].text, "cGljdHVyZQ==");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&blocks[6].text).unwrap(), json!([[name, name]]));
    }
}

/// The title occurs in the markup itself, twice.
#[test]
fn titles() {
    let page = page("<b>&\"'</title>\u{7}", &[], &[]);
    let wanted = "&lt;b&gt;&amp;&quot;&#39;&lt;/title&gt;\u{FFFD}";
    assert!(page.contains(&format!("<title>{wanted}</title>")));
    assert!(page.contains(&format!("<h1>{wanted}</h1>")));
    assert_eq!(page.matches("<b>").count() + page.matches("</title>").count(), 1);
    assert!(!super::support::page("{title}", &[], &[]).contains("{title}"));
}

/// Links refer to files relative to the page, regardless of their form.
#[test]
fn links() {
    let encoded = [
        ("world.wdb/models/003 bike.glb", "./world.wdb/models/003%20bike.glb"),
        ("//example.org/x", "./example.org/x"),
        ("javascript:alert(1)", "./javascript%3Aalert%281%29"),
        ("a\\b?c#d%e\"<>", "./a%5Cb%3Fc%23d%25e%22%3C%3E"),
        ("\u{e9}", "./%C3%A9"),
    ];
    let links = encoded.map(|(path, _)| ("label", path));
    let page = page("links", &[Entry::new("table", "", "").links(&links)], &[]);
    let wanted = encoded.map(|(_, address)| json!(["label", address]));
    assert_eq!(entries(&page)[0]["links"], json!(wanted));
}

/// Only the page's own scripts and style may run, and no resources may be loaded.
#[test]
fn policy() {
    let page = page("policy", &[], &[]);
    let (_, policy) = page.split_once("Content-Security-Policy\" content=\"").unwrap();
    let (policy, _) = policy.split_once('"').unwrap();
    assert!(policy.starts_with("default-src 'none'; img-src data:; "), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(policy.matches("'sha256-").count(), 3);
    for reference in ["http://", "https://", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(reference), "{reference}");
    }
    assert!(page.contains("<noscript>"));
}

/// Entries are written in order as they arrive, and are not kept in memory.
#[test]
fn streaming() {
    #[derive(Default)]
    struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let out = Shared::default();
    let seen = std::rc::Rc::clone(&out.0);
    let text = || String::from_utf8(seen.borrow().clone()).unwrap();
    let mut page = Page::new(out, "stream").unwrap();
    for count in 0..20 {
        let title = format!("entry {count}");
        page.entry(&Entry::new("table", &title, "").picture(Picture::new(&[count]))).unwrap();
        let entries = entries(&text());
        assert_eq!(entries.len(), usize::from(count) + 1);
        assert_eq!(entries[usize::from(count)]["title"], title);
        assert_eq!(entries[usize::from(count)]["picture"], json!({"pixelated": false}));
    }
    assert!(!text().contains("</html>"));
    page.finish(&[]).unwrap();
    assert!(text().ends_with("</html>\n"));
}

/// A failing writer causes an error, wherever it fails.
#[test]
fn full() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("full"))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let whole = page("full", &[PLAIN], &[]).len();
    let write = |room| -> Result<Full, Error> {
        let mut page = Page::new(Full(room), "full")?;
        page.entry(&PLAIN)?;
        page.finish(&[])
    };
    assert!(write(whole).is_ok());
    for room in [0, 100, whole / 2, whole - 1] {
        assert!(matches!(write(room), Err(Error::Io(_))), "{room}");
    }
}
