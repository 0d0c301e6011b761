//! Workbooks built by hand, as small as spreadsheets accept them.

/// Returns a workbook whose worksheets have these names and this XML inside `sheetData`.
pub fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    workbook_with(sheets, &[])
}

/// Returns the same workbook with more parts, or others of the same names.
pub fn workbook_with(sheets: &[(&str, &str)], more: &[(&str, String)]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relations = |list: &str| {
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{list}</Relationships>"
        )
    };
    let listed: String = (1..)
        .zip(sheets)
        .map(|(number, (name, _))| format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"s{number}\"/>"))
        .collect();
    let related: String = (1..)
        .zip(sheets)
        .map(|(number, _)| {
            format!(
                "<Relationship Id=\"s{number}\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/{number}.xml\"/>"
            )
        })
        .collect();
    let mut parts = vec![
        (
            "xl/workbook.xml".to_owned(),
            format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>{listed}</sheets></workbook>"),
        ),
        ("xl/_rels/workbook.xml.rels".to_owned(), relations(&related)),
        (
            "_rels/.rels".to_owned(),
            relations(&format!(
                "<Relationship Id=\"b\" Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/>"
            )),
        ),
    ];
    parts.extend((1..).zip(sheets).map(|(number, (_, rows))| {
        let sheet = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
        (format!("xl/worksheets/{number}.xml"), sheet)
    }));
    parts.retain(|(name, _)| more.iter().all(|(other, _)| name != other));
    parts.extend(more.iter().map(|(name, text)| ((*name).to_owned(), text.clone())));
    zip(&parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect::<Vec<_>>())
}

/// Returns the XML of rows, each a list of cells: numbers, and texts behind an apostrophe.
pub fn rows<'c>(rows: impl IntoIterator<Item = &'c [&'c str]>) -> String {
    let cell = |cell: &&str| match cell.strip_prefix('\'') {
        Some(text) => {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            format!("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
        }
        None if cell.is_empty() => "<c/>".to_owned(),
        None => format!("<c><v>{cell}</v></c>"),
    };
    let row = |cells: &[&str]| format!("<row>{}</row>", cells.iter().map(cell).collect::<String>());
    rows.into_iter().map(row).collect()
}

/// Returns an archive of stored files.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let at = word(out.len());
        let (sum, len) = (crc32(bytes), word(bytes.len()));
        // Version, flags, method, time and date, checksum, both sizes, length of the name and of what is behind it.
        let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        for word in [sum, len, len, word(name.len())] {
            head.extend(word.to_le_bytes());
        }
        out.extend([b"PK\x03\x04", &head[..], name.as_bytes(), bytes].concat());
        // Behind the same fields: comment, disk, attributes, and where the file is.
        directory.extend([b"PK\x01\x02\x14\0", &head[..], &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat());
    }
    let [low, high, ..] = word(files.len()).to_le_bytes();
    let (count, len, at) = ([low, high], word(directory.len()).to_le_bytes(), word(out.len()).to_le_bytes());
    [&out[..], &directory, b"PK\x05\x06\0\0\0\0", &count, &count, &len, &at, &[0, 0]].concat()
}

/// A length as archives store it.
fn word(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The checksum of archives, and of the chunks of PNG, bit by bit.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| step(sum)))
}
