//! The modes of entities.

use json_chunks::entity::EntityMode;

pub const MODES: [EntityMode; 5] = [
    EntityMode::Batch,
    EntityMode::AllTogether,
    EntityMode::OneByOne,
    EntityMode::Progressive,
    EntityMode::Realtime,
];
