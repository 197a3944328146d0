use json_chunks::Partial;

#[derive(Partial)]
struct Trip<'a> {
    title: &'a str,
}

fn main() {}
