//! What a snapshot costs: matched by the chunker, parsed by `serde_json`, validated by `sonic-rs`.
//! Throughput counts the bytes of all snapshots after the first.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml`

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use json_chunks::Chunker;
use json_chunks_rivals::{Order, snapshots};

fn chunker(criterion: &mut Criterion) {
    for (name, order) in [("same order", Order::Same), ("shuffled", Order::Shuffled)] {
        for kib in [2, 16, 256] {
            let stream = snapshots(kib << 10, order, 17);
            let (first, rest) = stream.split_first().expect("there are 17");
            let bytes: usize = rest.iter().map(String::len).sum();
            let mut group = criterion.benchmark_group(format!("{name}, {kib} KiB"));
            group.throughput(Throughput::Bytes(bytes as u64));
            group.bench_function("json-chunks", |bencher| {
                let mut begun = Chunker::new();
                begun.push(first).expect("it is JSON");
                let mut out = String::with_capacity(stream[16].len());
                bencher.iter_batched_ref(
                    || begun.clone(),
                    |chunker| {
                        out.clear();
                        for snapshot in rest {
                            chunker.push_into(snapshot, &mut out).expect("it is JSON");
                        }
                    },
                    BatchSize::LargeInput,
                );
            });
            group.bench_function("serde_json::Value", |bencher| {
                bencher.iter(|| {
                    for snapshot in rest {
                        let value: serde_json::Value =
                            serde_json::from_str(snapshot).expect("it is JSON");
                        black_box(value);
                    }
                });
            });
            group.bench_function("sonic-rs validation", |bencher| {
                bencher.iter(|| {
                    for snapshot in rest {
                        let value: sonic_rs::LazyValue<'_> =
                            sonic_rs::from_str(snapshot).expect("it is JSON");
                        black_box(value);
                    }
                });
            });
        }
    }
}

criterion_group!(benches, chunker);
criterion_main!(benches);
