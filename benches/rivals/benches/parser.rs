//! What a fragment costs: the same reply in 100, 1000 and 5000 pieces.
//!
//! *events*: every piece is parsed and its events looked at. *values*: after every piece the
//! string that grows is read; libraries without a document of their own parse all over again.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml --bench parser`

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jiter::{JsonValue, PartialMode};
use json_chunks::{Change, Parser};
use json_chunks_rivals::{pieces, reply};
use jsonmodem::{ParserOptions, StreamingParser};

fn parser(criterion: &mut Criterion) {
    let reply = reply();
    for count in [100, 1000, 5000] {
        let pieces = pieces(&reply, count);
        let mut group = criterion.benchmark_group(format!("events, {count} pieces"));
        group.throughput(Throughput::Bytes(reply.len() as u64));
        group.bench_function("json-chunks", |bencher| {
            bencher.iter(|| {
                let mut parser = Parser::new();
                for piece in &pieces {
                    for event in parser.push_str(piece).expect("it is JSON").events() {
                        black_box(&event);
                    }
                }
                parser.finish().expect("it is whole").is_complete()
            });
        });
        group.bench_function("jsonmodem", |bencher| {
            bencher.iter(|| {
                let mut parser = StreamingParser::new(ParserOptions::default());
                for piece in &pieces {
                    parser.feed(piece);
                    for event in parser.by_ref() {
                        black_box(event.expect("it is JSON"));
                    }
                }
                parser.finish().count()
            });
        });
        group.finish();

        let mut group = criterion.benchmark_group(format!("values, {count} pieces"));
        group.throughput(Throughput::Bytes(reply.len() as u64));
        group.sample_size(10);
        group.bench_function("json-chunks", |bencher| {
            bencher.iter(|| {
                let mut parser = Parser::new();
                for piece in &pieces {
                    let growth = parser.push_str(piece).expect("it is JSON");
                    if let Some(event) = growth.events().last()
                        && let Change::Appended(_) | Change::Completed(_) = event.change
                    {
                        black_box(event.path.value().as_str());
                    }
                }
            });
        });
        group.bench_function("jiter, all over again", |bencher| {
            bencher.iter(|| {
                let mut text = String::new();
                for piece in &pieces {
                    text.push_str(piece);
                    let value = JsonValue::parse_with_config(
                        text.as_bytes(),
                        false,
                        PartialMode::TrailingStrings,
                    );
                    // Where the text ends in a name or a number there is no value; the work is done.
                    let _ = black_box(value);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, parser);
criterion_main!(benches);
