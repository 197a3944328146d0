//! Documents written by real models. Skipped if the folder with them is missing.

use std::fs;
use std::path::Path;

use super::troubles::{Rates, Trouble, case};
use json_chunks_testing::byte_source::ByteSource;

fn documents() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: no captured streams in {}", folder.display());
        return Vec::new();
    };
    let mut documents = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            // One fragment per line.
            Some("txt") => documents.push(text.lines().collect()),
            Some("jsonl") => documents.push(text.lines().last().unwrap().to_owned()),
            _ => {}
        }
    }
    documents
}

#[test]
fn captured_documents_join_under_every_trouble() {
    let every_byte = std::env::var_os("EVERY_BYTE").is_some();
    let step = if every_byte { 1 } else { 17 };
    let mut rates = Rates::default();
    for document in documents() {
        for cut in (0..document.len()).step_by(step) {
            for trouble in Trouble::ALL {
                let choices = (0..250).map(|index| (index * 31 + cut * 67 + cut / 11 * 7) as u8);
                let choices: Vec<u8> = choices.collect();
                if let Some(case) = case(&document, cut, trouble, &mut ByteSource::new(&choices)) {
                    rates.count(trouble, &case);
                }
            }
        }
    }
    eprintln!("{rates}");
    // Every ambiguous reply costs another call.
    assert!(rates.of(Trouble::None, "ambiguous") < 0.03);
    assert!(rates.of(Trouble::ElementAgain, "ambiguous") < 0.01);
    assert!(rates.of_all("wrong likely") < 0.001);
}
