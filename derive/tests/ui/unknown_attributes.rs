use json_chunks::Partial;

#[derive(Partial)]
struct Trip {
    #[partial(optional)]
    title: String,
}

#[derive(Partial)]
#[partial(required)]
struct Day {
    title: String,
}

#[derive(Partial)]
enum Stop {
    #[partial(done)]
    Walk(String),
}

#[derive(Partial)]
#[serde(rename_all = "Camel")]
struct Case {
    title: String,
}

fn main() {}
