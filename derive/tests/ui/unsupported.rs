use json_chunks::Partial;

#[derive(Partial)]
union Bits {
    n: u32,
}

#[derive(Partial)]
#[serde(try_from = "String")]
struct Date(u32);

#[derive(Partial)]
#[serde(tag = "type")]
struct Tagged {
    n: u32,
}

#[derive(Partial)]
#[serde(tag = "type")]
enum Stop {
    Pair(u32, u32),
}

#[derive(Partial)]
#[serde(content = "of")]
enum Content {
    Walk(u32),
}

#[derive(Partial)]
enum Other {
    #[serde(untagged)]
    Walk(u32),
}

#[derive(Partial)]
enum OtherWithContent {
    #[serde(other)]
    Walk(u32),
}

#[derive(Partial)]
#[serde(transparent)]
struct Transparent {
    a: u32,
    b: u32,
}

fn main() {}
