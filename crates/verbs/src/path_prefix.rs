//! The output of `show` for several inputs: each document, line or row says which file it is of.

use std::io::{self, Write};

use crate::options::ShowFormat;
use crate::table::shown;

/// Writes parts, each with its path in front of it once one has begun.
pub(crate) struct PathPrefix<'t> {
    out: &'t mut (dyn Write + Send),
    format: ShowFormat,
    /// The last row of column names; another kind of part has others.
    columns: Vec<u8>,
    begun: bool,
    /// The path as a member of an object, or as the first cell of a row.
    tag: String,
    /// The row of column names, while it is not whole; none once it was written.
    head: Option<Vec<u8>>,
    at_start: bool,
    in_quotes: bool,
}

impl<'t> PathPrefix<'t> {
    pub(crate) const fn new(out: &'t mut (dyn Write + Send), format: ShowFormat) -> Self {
        Self {
            out,
            format,
            columns: Vec::new(),
            begun: false,
            tag: String::new(),
            head: None,
            at_start: true,
            in_quotes: false,
        }
    }

    /// Begins a part. `name` is what its path is called in JSON.
    pub(crate) fn begin(&mut self, name: &'static str, path: &str) -> io::Result<()> {
        match self.format {
            ShowFormat::Json | ShowFormat::Ndjson => {
                self.tag = format!("{{\"{name}\":{},", serde_json::to_string(path).map_err(io::Error::from)?);
            }
            ShowFormat::Csv => {
                let mut cell = csv::WriterBuilder::new().from_writer(Vec::new());
                cell.write_record([path, ""]).map_err(io::Error::other)?;
                let row = cell.into_inner().map_err(|error| error.into_error())?;
                // Without the end of the row.
                self.tag = String::from_utf8_lossy(row.strip_suffix(b"\n").unwrap_or(&row)).into_owned();
                self.head = Some(Vec::new());
            }
            ShowFormat::Table => {
                if self.begun {
                    writeln!(self.out)?;
                }
                writeln!(self.out, "{}", shown(path))?;
            }
        }
        (self.begun, self.at_start, self.in_quotes) = (true, true, false);
        Ok(())
    }

    /// Writes what is in a line of JSON, the first byte of a line replaced with the tag.
    fn lines(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let rest = match line.strip_prefix(b"{") {
                Some(rest) if self.at_start => {
                    self.out.write_all(self.tag.as_bytes())?;
                    rest
                }
                _ => line,
            };
            self.out.write_all(rest)?;
            self.at_start = line.ends_with(b"\n");
        }
        Ok(())
    }

    /// Writes rows of CSV; a line that ends inside quotes does not end its row.
    fn rows(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let is_quote = line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
            self.in_quotes ^= is_quote;
            let is_end = line.ends_with(b"\n") && !self.in_quotes;
            if let Some(head) = &mut self.head {
                head.extend_from_slice(line);
                if is_end {
                    self.begin_rows()?;
                }
                continue;
            }
            if self.at_start {
                self.out.write_all(self.tag.as_bytes())?;
            }
            self.out.write_all(line)?;
            self.at_start = is_end;
        }
        Ok(())
    }

    /// Writes the names of the columns, unless they are those of the rows before.
    fn begin_rows(&mut self) -> io::Result<()> {
        let head = self.head.take().unwrap_or_default();
        if self.columns != head {
            self.out.write_all(b"path,")?;
            self.out.write_all(&head)?;
            self.columns = head;
        }
        Ok(())
    }
}

impl Write for PathPrefix<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.format {
            _ if !self.begun => self.out.write_all(bytes)?,
            ShowFormat::Table => self.out.write_all(bytes)?,
            ShowFormat::Json | ShowFormat::Ndjson => self.lines(bytes)?,
            ShowFormat::Csv => self.rows(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagged(format: ShowFormat, parts: &[(&str, &str)], at_once: usize) -> String {
        let mut out = Vec::new();
        let mut tagged = PathPrefix::new(&mut out, format);
        for (path, text) in parts {
            tagged.begin("path", path).unwrap();
            text.as_bytes().chunks(at_once).for_each(|chunk| tagged.write_all(chunk).unwrap());
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_line_and_row_has_its_path_however_it_is_written() {
        for at_once in [1, 2, 3, 1000] {
            let lines =
                tagged(ShowFormat::Ndjson, &[("a\"b", "{\"x\":{}}\n{\"x\":2}\n"), ("c", "{\"y\":1}\n")], at_once);
            let expected = "{\"path\":\"a\\\"b\",\"x\":{}}\n{\"path\":\"a\\\"b\",\"x\":2}\n{\"path\":\"c\",\"y\":1}\n";
            assert_eq!(lines, expected, "{at_once}");
            let rows = [("a,b", "n,t\n1,\"two\nlines\"\n2,x\n"), ("c", "n,t\n3,y\n"), ("d", "z\n4\n")];
            let rows = tagged(ShowFormat::Csv, &rows, at_once);
            let expected = "path,n,t\n\"a,b\",1,\"two\nlines\"\n\"a,b\",2,x\nc,3,y\npath,z\nd,4\n";
            assert_eq!(rows, expected, "{at_once}");
        }
        assert_eq!(tagged(ShowFormat::Table, &[("a", "one\n"), ("b", "two\n")], 2), "a\none\n\nb\ntwo\n");
    }
}
