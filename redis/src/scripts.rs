//! The operations of a log as scripts, each of which Redis runs as one atomic step.
//!
//! # For maintainers
//!
//! A run has two keys that expire together: a hash with the number of its last event (`last`), the
//! token of its lease (`token`), when that lapses (`until`, in milliseconds by the clock of Redis),
//! and whether it is closed (`closed`); and a stream of its events, where event n has the id `n-0`.
//!
//! | script | may be repeated, because |
//! | --- | --- |
//! | create, claim | the token is chosen by the client: it has the lease already |
//! | write | the number shows that the events are there already |
//! | read | it changes nothing |

use std::time::Duration;

use json_chunks::event_log::{LogError, Read};
use json_chunks::sse::SseEvent;
use redis::{RedisError, Script};

/// The maximum number of events that one read returns, and the size after which it returns no more.
const EVENTS_PER_READ: usize = 256;
const BYTES_PER_READ: usize = 256 * 1024;

/// A status, and the number of the last event.
pub(crate) type Answer = (String, u64);

const CREATE: &str = r"
local meta, events, token, duration, keep = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local current = redis.call('HGET', meta, 'token')
if current and current ~= token then return {'taken', 0} end
if not current then
    redis.call('DEL', events)
    redis.call('HSET', meta, 'last', 0, 'closed', 0, 'token', token, 'until', now + duration)
end
redis.call('PEXPIRE', meta, keep)
return {'ok', 0}
";

const CLAIM: &str = r"
local meta, events, token, duration, keep = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run = redis.call('HMGET', meta, 'last', 'closed', 'token', 'until')
if not run[1] then return {'unknown', 0} end
if run[3] ~= token then
    if run[2] == '1' or tonumber(run[4]) > now then return {'taken', 0} end
    redis.call('HSET', meta, 'token', token, 'until', now + duration)
end
redis.call('PEXPIRE', meta, keep)
redis.call('PEXPIRE', events, keep)
return {'ok', tonumber(run[1])}
";

// A renewal is a write without a number.
const WRITE: &str = r"
local meta, events, channel = KEYS[1], KEYS[2], KEYS[3]
local token, duration, keep, most = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local closes, number = ARGV[5] == '1', tonumber(ARGV[6])
local count = (#ARGV - 6) / 3
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run = redis.call('HMGET', meta, 'last', 'closed', 'token')
if not run[1] then return {'gap', 0} end
if run[3] ~= token then return {'fenced', 0} end
local next = tonumber(run[1]) + 1
local repeated = false
if number and number < next then
    if number + count ~= next then return {'fenced', 0} end
    repeated = true
elseif number and number > next then
    return {'gap', 0}
end
if run[2] == '1' then
    if closes and (repeated or count == 0) then return {'ok', 0} end
    return {'fenced', 0}
end
if not repeated then
    for i = 0, count - 1 do
        local id = string.format('%.0f-0', next + i)
        local at = 7 + 3 * i
        redis.call('XADD', events, 'MAXLEN', '~', most, id,
            'e', ARGV[at], 'd', ARGV[at + 1], 'r', ARGV[at + 2])
    end
    next = next + count
end
redis.call('HSET', meta, 'last', string.format('%.0f', next - 1), 'closed', closes and 1 or 0,
    'until', string.format('%.0f', now + duration))
redis.call('PEXPIRE', meta, keep)
redis.call('PEXPIRE', events, keep)
if closes or count > 0 then redis.call('PUBLISH', channel, 1) end
return {'ok', 0}
";

// Events that reach the end of the run are returned with its state, so that a reader that keeps up
// needs one round trip for each append.
const READ: &str = r"
local meta, events = KEYS[1], KEYS[2]
local after, most, bytes = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local run = redis.call('HMGET', meta, 'last', 'closed', 'until')
if not run[1] then return {'unknown', 0, {}, ''} end
local last = tonumber(run[1])
if after > last then return {'gap', 0, {}, ''} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state = 'lost'
if run[2] == '1' then
    state = 'closed'
elseif tonumber(run[3]) > now then
    state = 'idle'
end
if after == last then return {state, 0, {}, ''} end
local found = redis.call('XRANGE', events, string.format('%.0f-0', after + 1), '+', 'COUNT', most)
if #found == 0 then return {'gap', 0, {}, ''} end
local first = tonumber(string.match(found[1][1], '^%d+'))
local fields = {}
for _, entry in ipairs(found) do
    if bytes <= 0 then break end
    bytes = bytes - #entry[2][4]
    fields[#fields + 1] = entry[2][2]
    fields[#fields + 1] = entry[2][4]
    fields[#fields + 1] = entry[2][6]
end
local is_all = first + #fields / 3 - 1 == last
return {'events', first, fields, is_all and state or ''}
";

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(crate) create: Script,
    pub(crate) claim: Script,
    pub(crate) write: Script,
    read: Script,
}

impl Scripts {
    pub(crate) fn new() -> Self {
        Self {
            create: Script::new(CREATE),
            claim: Script::new(CLAIM),
            write: Script::new(WRITE),
            read: Script::new(READ),
        }
    }

    pub(crate) fn read(&self, meta: &str, events: &str, after: u64) -> redis::ScriptInvocation<'_> {
        let mut script = self.read.key(meta);
        script
            .key(events)
            .arg(after)
            .arg(EVENTS_PER_READ)
            .arg(BYTES_PER_READ);
        script
    }
}

/// Returns the number in an answer, or its error.
pub(crate) fn accepted((status, last): &Answer) -> Result<u64, LogError<RedisError>> {
    match status.as_str() {
        "ok" => Ok(*last),
        other => Err(refusal(other)),
    }
}

/// The result of a read, as the script returns it: a status, the number of the first event, the
/// name, data and reconnection time (milliseconds or nothing) of each event in turn, and the status
/// after them if they are all that there is.
pub(crate) type Found = (String, u64, Vec<String>, String);

/// The result of a read, and the result of the next one, if it is known.
pub(crate) struct Reading {
    pub(crate) read: Read,
    pub(crate) next: Option<Read>,
}

/// Returns the result of a read, or its error.
pub(crate) fn found((status, first, fields, next): Found) -> Result<Reading, LogError<RedisError>> {
    if let Some(read) = state(&status) {
        return Ok(Reading { read, next: None });
    }
    if status != "events" {
        return Err(refusal(&status));
    }
    let mut events = Vec::with_capacity(fields.len() / 3);
    let mut fields = fields.into_iter();
    let mut number = first;
    while let (Some(name), Some(data), Some(retry)) = (fields.next(), fields.next(), fields.next())
    {
        let event = match name.as_str() {
            // The default name, which is not written.
            "message" => SseEvent::new(data),
            _ => SseEvent::named(name, data),
        };
        let event = match retry.parse() {
            Ok(milliseconds) => event.with_retry(Duration::from_millis(milliseconds)),
            Err(_) => event,
        };
        events.push(event.with_id(number.to_string()));
        number += 1;
    }
    Ok(Reading {
        read: Read::events(first, events).ok_or(LogError::Gap)?,
        next: state(&next),
    })
}

fn state(status: &str) -> Option<Read> {
    match status {
        "idle" => Some(Read::Idle),
        "lost" => Some(Read::Lost),
        "closed" => Some(Read::Closed),
        _ => None,
    }
}

fn refusal(status: &str) -> LogError<RedisError> {
    match status {
        "taken" => LogError::Taken,
        "fenced" => LogError::Fenced,
        "unknown" => LogError::UnknownRun,
        "gap" => LogError::Gap,
        _ => LogError::Backend(RedisError::from((
            redis::ErrorKind::UnexpectedReturnType,
            "a script returned an unknown status",
        ))),
    }
}
