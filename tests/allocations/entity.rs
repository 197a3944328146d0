//! The cost of validating entities against a schema.

use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::schema::Schema;

/// A validation reads the entire entity, so there must not be one for every push.
#[test]
fn reading_partial_entities_is_linear() {
    let allocated = |elements: usize| {
        let schema: Schema = r#"{"type":"object"}"#.parse().unwrap();
        let info = allocation_counter::measure(|| {
            let mut entities = EntityDetector::new(EntityMode::Progressive).schema(schema);
            assert_eq!(entities.push("[{\"l\":[1").count(), 0);
            for _ in 0..elements {
                assert_eq!(entities.push(",1").count(), 0);
            }
        });
        info.count_total
    };
    let (once, twice) = (allocated(2000), allocated(4000));
    assert!(twice < once * 3, "{once} allocations, then {twice}");
}
