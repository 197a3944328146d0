use json_chunks::Partial;

struct Uuid;

#[derive(Partial)]
struct Trip {
    id: Uuid,
    list: Vec<Uuid>,
}

fn main() {}
