use std::collections::BTreeMap;

use json_chunks::Partial;

#[derive(Partial)]
struct RequiredDefault {
    #[serde(default)]
    #[partial(required)]
    title: String,
}

#[derive(Default, Partial)]
#[serde(default)]
struct RequiredOfDefault {
    #[partial(required)]
    title: String,
}

#[derive(Partial)]
struct DoneFlatten {
    #[serde(flatten)]
    #[partial(done)]
    rest: BTreeMap<String, u32>,
}

#[derive(Partial)]
struct DoneLeaf {
    #[partial(done, leaf)]
    title: String,
}

#[derive(Partial)]
struct DoneState {
    #[partial(done, state)]
    title: String,
}

#[derive(Partial)]
struct SkippedDone {
    #[serde(skip)]
    #[partial(done)]
    title: String,
}

fn main() {}
