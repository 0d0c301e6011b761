//! Who gets answers, and to what.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use worldview_verbs::Run;
use worldview_verbs::options::ViewOptions;
use worldview_view::Server;

use crate::client::Viewer;

#[test]
fn no_data_is_answered_without_the_key() {
    let viewer = Viewer::samples();
    let other = Viewer::samples();
    let paths =
        ["session", "children?at=samples", "bytes?at=samples/items.wdb&len=4", "download?at=samples/items.wdb&to=csv"];
    for path in paths.map(|path| format!("/api/{path}")) {
        // What another server on this machine gets from the same browser are cookies, and the key is in none.
        for headers in [
            vec![("X-Worldview-Key", "")],
            vec![("X-Worldview-Key", &viewer.key[1..])],
            vec![("X-Worldview-Key", &*other.key)],
            vec![("X-Worldview-Key", ""), ("Cookie", &*viewer.key)],
        ] {
            // A header without a value is not sent.
            let answer = viewer.send("GET", &path, &headers, b"");
            assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{path} with {headers:?}");
        }
        assert_eq!(viewer.get(&path).status, 200, "{path}");
    }
    // The files of the page are the same for everybody, so they are no secret.
    assert_eq!(viewer.send("GET", "/at/samples", &[("X-Worldview-Key", "")], b"").key(), None);
}

#[test]
fn a_token_works_once() {
    let viewer = Viewer::samples();
    // The viewer of this test has used it, as the browser does.
    let again = viewer.send("GET", &format!("/?token={}", viewer.token), &[("X-Worldview-Key", "")], b"");
    assert_eq!((again.status, again.key()), (200, None));
    let link = |token: &str| {
        let path = format!("/api/download?at=samples/items.wdb&to=csv&token={token}");
        viewer.send("GET", &path, &[("X-Worldview-Key", "")], b"").status
    };
    assert_eq!(link(&viewer.token), 401);
    let token = String::from_utf8(viewer.send("POST", "/api/token", &[], b"").body).unwrap();
    assert_eq!((link(&token), link(&token)), (200, 401));
    // Only downloads are links.
    let token = String::from_utf8(viewer.send("POST", "/api/token", &[], b"").body).unwrap();
    let path = format!("/api/session?token={token}");
    assert_eq!(viewer.send("GET", &path, &[("X-Worldview-Key", "")], b"").status, 401);
    assert_eq!(viewer.send("POST", "/api/token", &[("X-Worldview-Key", "")], b"").status, 401);
}

#[test]
fn no_address_leads_to_another_host() {
    let server = Server::bind([], &ViewOptions::default(), &mut Run::new(&mut ())).unwrap();
    let addresses: Vec<_> = (0..3).map(|_| server.address().unwrap()).collect();
    let host = addresses[0].strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let thread = std::thread::spawn(move || server.run(&stopped));
    for (address, path) in addresses.iter().zip(["//evil.example/", "/\\evil.example/", "/at/samples"]) {
        let token = address.split_once('?').unwrap().1;
        let mut stream = TcpStream::connect(&host).unwrap();
        write!(stream, "GET {path}?{token} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(!answer.to_ascii_lowercase().contains("\r\nlocation:"), "{answer}");
    }
    stop.store(true, Ordering::Relaxed);
    thread.join().unwrap().unwrap();
}

#[test]
fn other_hosts_and_other_pages_are_refused() {
    let viewer = Viewer::samples();
    let port = viewer.host.split_once(':').unwrap().1;
    // What DNS rebinding looks like from here.
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", &format!("evil.example:{port}")] {
        assert_eq!(viewer.send("GET", "/api/session", &[("Host", host)], b"").status, 403, "{host}");
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("https://{}", viewer.host)] {
        assert_eq!(viewer.send("GET", "/api/session", &[("Origin", origin)], b"").status, 403, "{origin}");
    }
    let own = format!("http://{}", viewer.host);
    assert_eq!(viewer.send("GET", "/api/session", &[("Origin", &own)], b"").status, 200);
}

#[test]
fn every_answer_has_the_content_policy() {
    let viewer = Viewer::samples();
    for path in ["/", "/api/session", "/api/children?at=nowhere", "/api/nothing"] {
        let answer = viewer.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[test]
fn nothing_outside_the_given_folder_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("given");
    fs::create_dir(&given).unwrap();
    fs::write(folder.path().join("secret.wdb"), b"secret").unwrap();
    fs::write(given.join("open.txt"), b"open").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.wdb"), given.join("link.wdb")).unwrap();
    let viewer = Viewer::of(&given);
    // A link that leads out reveals nothing, not even a size.
    #[cfg(unix)]
    {
        let root = viewer.get("/api/session").json()["roots"][0]["at"].as_str().unwrap().to_owned();
        let children = viewer.get(&format!("/api/children?at={root}")).json();
        let link = children["children"].as_array().unwrap().iter().find(|node| node["name"] == "link.wdb").unwrap();
        assert_eq!((&link["kind"], link.get("size")), (&"broken".into(), None), "{link}");
    }
    let read = |at: &str| viewer.get(&format!("/api/bytes?at={at}&len=16"));
    assert_eq!(read("given/open.txt").body, b"open");
    // Each address is decoded once as a query, and once as a path.
    let escapes = [
        "given/../secret.wdb",
        "given/%252e%252e/secret.wdb",
        "given/%252e%252e%252fsecret.wdb",
        "given//../secret.wdb",
        "../secret.wdb",
        "secret.wdb",
        "/etc/passwd",
        "given/%252fetc%252fpasswd",
        "given/open.txt%2500/../../secret.wdb",
        "given/link.wdb",
    ];
    for at in escapes {
        let answer = read(at);
        assert!((400..500).contains(&answer.status), "{at}: {answer:?}");
        assert!(!answer.body.windows(6).any(|six| six == b"secret"), "{at}");
    }
}
