//! Many requests at once, files that want too much, and browsers that go away.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::client::Viewer;

#[test]
fn a_thousand_requests_at_once_are_all_answered() {
    let viewer = Viewer::samples();
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..50 {
            let (viewer, answered) = (&viewer, &answered);
            scope.spawn(move || {
                for number in 0..20 {
                    let path = match (thread + number) % 4 {
                        0 => "/api/model.glb?at=samples/world.wdb&path=world:BAY",
                        1 => "/api/children?at=samples/world.wdb&path=world:MEADOW",
                        2 => "/api/fields?at=samples/harbour.wwd&path=plane:Action/objects*",
                        _ => "/api/find?q=e",
                    };
                    assert_eq!(viewer.get(path).status, 200, "{path}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(answered.into_inner(), 1000);
}

/// Every file that the corpus has against readers: each answer comes, with an error or without, and the viewer stays.
#[test]
fn hostile_files_leave_the_viewer_responsive() {
    let folder = tempfile::tempdir().unwrap();
    let mut ats = Vec::new();
    for (number, (name, bomb)) in worldview_corpus::bombs::all().enumerate() {
        // Some are recognized by their name.
        let own = format!("{number:03}");
        fs::create_dir(folder.path().join(&own)).unwrap();
        fs::write(folder.path().join(&own).join(name), bomb.bytes(20_000)).unwrap();
        ats.push((bomb.name, format!("{own}/{name}")));
    }
    let viewer = Viewer::of(folder.path());
    let root = viewer.get("/api/session").json()["roots"][0]["at"].as_str().unwrap().to_owned();
    for (bomb, at) in &ats {
        for what in ["about?", "children?limit=100&", "fields?limit=1000&", "findings?", "picture.png?"] {
            let answer = viewer.get(&format!("/api/{what}at={root}/{at}"));
            assert!(answer.status == 200 || (400..=504).contains(&answer.status), "{bomb}, {what}: {}", answer.status);
        }
    }
    assert_eq!(viewer.get("/api/session").status, 200);
}

/// A browser that leaves in the middle of a search does not keep the viewer busy.
#[test]
fn a_search_ends_when_the_browser_goes_away() {
    let viewer = Viewer::samples();
    for _ in 0..200 {
        let mut stream = viewer.connect();
        let request =
            format!("GET /api/find?q=e HTTP/1.1\r\nHost: {}\r\nX-Worldview-Key: {}\r\n\r\n", viewer.host, viewer.key);
        stream.write_all(request.as_bytes()).unwrap();
        stream.read_exact(&mut [0]).unwrap();
    }
    assert_eq!(viewer.get("/api/find?q=lighthouse").lines().len(), 5);
}

/// Whoever connects without asking for anything is sent away, and others are answered before that.
#[test]
fn connections_without_a_request_end() {
    let viewer = Viewer::samples();
    let mut idle: Vec<_> = (0..200).map(|_| viewer.connect()).collect();
    for stream in &mut idle {
        stream.write_all(b"GET /api/session HTTP/1.1\r\nHost: ").unwrap();
    }
    assert_eq!(viewer.get("/api/session").status, 200);
    for stream in &mut idle {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // Closed, with or without an answer that says so, or reset because what it had sent was not read.
        let mut answer = Vec::new();
        let closed = stream.read_to_end(&mut answer);
        assert!(closed.map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |_| true));
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", answer.escape_ascii());
    }
    assert_eq!(viewer.get("/api/session").status, 200);
}

/// Whoever holds all places without asking for anything loses the oldest to others, and never those of the page.
#[test]
fn idle_connections_give_way_to_others() {
    let viewer = Viewer::samples();
    let request =
        format!("GET /api/session HTTP/1.1\r\nHost: {}\r\nX-Worldview-Key: {}\r\n\r\n", viewer.host, viewer.key);
    let ask = |stream: &mut TcpStream| {
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = [0; 4096];
        let len = stream.read(&mut answer).unwrap();
        assert!(answer[..len].starts_with(b"HTTP/1.1 200 "), "{}", answer[..len].escape_ascii());
    };
    let mut own = viewer.connect();
    ask(&mut own);
    let idle: Vec<_> = (0..300).map(|_| viewer.connect()).collect();
    assert_eq!(viewer.get("/api/session").status, 200);
    // Those that would be sent away together with the first are gone by now, too.
    std::thread::sleep(Duration::from_millis(100));
    let is_open = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    let open: Vec<_> = idle.iter().map(is_open).collect();
    assert_eq!((open[0], open[299]), (false, true));
    assert!(open.iter().filter(|open| **open).count() >= 120, "{open:?}");
    ask(&mut own);
}

/// Downloads that nobody reads leave searches alone.
#[test]
fn slow_downloads_do_not_stop_searches() {
    let folder = tempfile::tempdir().unwrap();
    // More than the system keeps for a connection.
    fs::write(folder.path().join("large.bin"), vec![7; 16 << 20]).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/items.wdb"), folder.path().join("items.wdb")).unwrap();
    let viewer = Viewer::of(folder.path());
    let root = viewer.get("/api/session").json()["roots"][0]["at"].as_str().unwrap().to_owned();
    let slow: Vec<_> = (0..70)
        .map(|_| {
            let mut stream = viewer.connect();
            let path = format!("/api/download?at={root}/large.bin&to=data");
            let (host, key) = (&viewer.host, &viewer.key);
            let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Worldview-Key: {key}\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    assert!(!viewer.get("/api/find?q=potion").lines().is_empty());
    drop(slow);
}

/// Each of these kept all threads busy for seconds, or ended the process.
#[test]
fn long_patterns_addresses_and_paths_are_refused() {
    let viewer = Viewer::samples();
    let pattern = "*a".repeat(600);
    let long = "a".repeat(60_000);
    for (path, status) in [
        (format!("/api/find?q={pattern}"), 400),
        (format!("/api/table/rows?at=samples/items.wdb&q={pattern}"), 400),
        (format!("/api/table/rows?at=samples/items.wdb&f.0={pattern}"), 400),
        (format!("/api/table/rows?at=samples/items.wdb&f.0={long}"), 414),
        (format!("/api/fields?at=samples/harbour.wwd&path={}", "a/".repeat(15_000)), 400),
    ] {
        let answer = viewer.get(&path);
        assert_eq!(answer.status, status, "{}: {}", &path[..30], answer.error());
    }
    let deep = "a/".repeat(15_000);
    let changes = serde_json::json!({"at": "samples/harbour.wwd", "changes": [{"set": deep, "to": 1}]});
    let answer = viewer.post("/api/edit/check", &changes).json();
    assert!(answer["results"][0]["error"].is_string(), "{answer}");
}

#[test]
fn half_a_request_and_garbage_do_no_harm() {
    let viewer = Viewer::samples();
    let mut open = Vec::new();
    for bytes in [&b""[..], b"GET /api/se", b"\0\xFF\0\xFF\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", &[b'a'; 1 << 16]] {
        let mut stream = viewer.connect();
        // The viewer may have closed the connection already.
        let _ = stream.write_all(bytes);
        open.push(stream);
    }
    assert_eq!(viewer.get("/api/session").status, 200);
}
