//! Who gets answers, and to what.

use std::fs;

use crate::client::Viewer;

#[test]
fn nothing_is_answered_without_the_cookie() {
    let viewer = Viewer::samples();
    for path in ["/", "/app.js", "/api/session", "/api/children?at=samples", "/api/bytes?at=samples/items.wdb&len=4"] {
        for cookie in ["", "worldview=1", &viewer.cookie[..viewer.cookie.len() - 1]] {
            // A header without a value is not sent.
            let answer = viewer.send("GET", path, &[("Cookie", cookie)], b"");
            assert_eq!(answer.status, 403, "{path} with {cookie:?}");
        }
        assert_eq!(viewer.get(path).status, 200, "{path}");
    }
}

#[test]
fn the_token_leaves_the_address_and_scripts_cannot_read_the_cookie() {
    let viewer = Viewer::samples();
    let path = format!("/at/samples?token={}&view=children", viewer.token);
    let answer = viewer.send("GET", &path, &[("Cookie", "")], b"");
    assert_eq!((answer.status, answer.header("location")), (303, Some("/at/samples?view=children")));
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let wrong = format!("/?token={}", viewer.token.replace(|digit: char| digit.is_ascii_digit(), "x"));
    assert_eq!(viewer.send("GET", &wrong, &[("Cookie", "")], b"").status, 403);
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
