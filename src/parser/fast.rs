//! A fast path over complete tokens inside a container.
//!
//! It accepts what nearly all text consists of and leaves everything else to the automaton: tokens
//! that the fragment ends in, errors, names with escapes, and the end of the document. It stops
//! before such a token with the state that the automaton would have there, so that one place
//! reports errors, and this one has none.

use super::Parser;
use crate::document::{Kind, Name, Node, NodeId, Span, make_room};
use crate::json::{Container, Expect, complete_number_end, skip_plain, skip_whitespace};

/// Below this many bytes there is hardly a complete token, and to start would cost more than it
/// saves: fragments of a model are `"Day` or ` 1: Arr`.
const WORTHWHILE: usize = 12;

impl Parser {
    /// Reads the text up to `end` as long as its tokens are complete and usual.
    #[inline]
    pub(super) fn read_fast(&mut self, end: usize) {
        let left = end.saturating_sub(self.automaton.lexer.at());
        if left < WORTHWHILE || self.cursor.open_scalar.is_some() {
            return;
        }
        // {"\u0061":1}: whether such a name is new is left to `build`.
        let is_unusual = self.cursor.name.is_some_and(|name| name.escaped);
        if let Some(container) = self.cursor.container
            && self.automaton.lexer.is_between_tokens()
            && !is_unusual
        {
            self.read_tokens(container, end);
        }
    }

    /// See [`Self::read_fast`]; `container` is the innermost open one.
    #[inline(never)]
    #[expect(
        clippy::too_many_lines,
        reason = "a loop over local state, which functions would have to pass along"
    )]
    fn read_tokens(&mut self, mut container: NodeId, end: usize) {
        let token_limit = self.options.limits.token_bytes as usize;
        let depth_limit = self.options.limits.depth;
        let syntax = &mut self.automaton.syntax;
        let (doc, names) = (&mut self.doc, &mut self.cursor.names);
        let Some(text) = doc.text.get(..end) else {
            return;
        };
        let bytes = text.as_bytes();
        let mut at = self.automaton.lexer.at();
        let mut expect = syntax.expect();
        let mut is_object = doc.nodes[container.index()].kind() == Kind::Object;
        // The index of the next element, where the container is an array.
        let mut index = if is_object {
            0
        } else {
            doc.next_index(container)
        };
        let mut last = doc.last_child(container);
        // The name before the next value, if it is that of a member.
        let mut name = self.cursor.name.take().map_or(Span::EMPTY, |name| name.raw);
        let mut events = 0;
        // A turn reads a value and the comma and the name before it, or what there is of these.
        while let Some((mut start, mut first)) = next_token(bytes, at) {
            at = start;
            if expect == Expect::CommaOrEnd && first == b',' {
                at += 1;
                expect = if is_object {
                    Expect::Name
                } else {
                    Expect::Value
                };
                let Some(token) = next_token(bytes, at) else {
                    break;
                };
                (start, first) = token;
                at = start;
            }
            if matches!(expect, Expect::FirstName | Expect::Name) && first == b'"' {
                let content = start + 1;
                let close = skip_plain(bytes, content);
                if bytes.get(close) != Some(&b'"') || close - content > token_limit {
                    break;
                }
                name = Span::of(&(content..close));
                at = close + 1;
                expect = Expect::Colon;
                let Some(token) = next_token(bytes, at) else {
                    break;
                };
                (start, first) = token;
                at = start;
            }
            if expect == Expect::Colon && first == b':' {
                at += 1;
                expect = Expect::Value;
                let Some(token) = next_token(bytes, at) else {
                    break;
                };
                (start, first) = token;
                at = start;
            }
            match expect {
                // `1}` and, because nothing else can follow after the state is changed, `{}`.
                Expect::CommaOrEnd | Expect::FirstName | Expect::FirstElement
                    if matches!((first, is_object), (b'}', true) | (b']', false)) =>
                {
                    let after = doc.nodes.len();
                    let node = &mut doc.nodes[container.index()];
                    // The end of the document is left to `build`.
                    let Some(outer) = node.parent() else { break };
                    at += 1;
                    node.complete_container(after);
                    index = node.index() + 1;
                    last = Some(container);
                    events += 1;
                    syntax.close();
                    if is_object {
                        names.close_object();
                    }
                    container = outer;
                    is_object = doc.nodes[container.index()].kind() == Kind::Object;
                    expect = Expect::CommaOrEnd;
                    continue;
                }
                Expect::Value | Expect::FirstElement => {}
                Expect::CommaOrEnd
                | Expect::FirstName
                | Expect::Name
                | Expect::Colon
                | Expect::Nothing => break,
            }
            let place = if is_object { name.start } else { index };
            let node = match first {
                b'"' => {
                    let content = start + 1;
                    let mut close = skip_plain(bytes, content);
                    let mut unescaped = None;
                    if bytes.get(close) == Some(&b'\\') {
                        let number = doc.unescaped.count();
                        let Some(end) = doc.unescaped.push_string(text, content) else {
                            break;
                        };
                        close = end;
                        unescaped = Some(number);
                    }
                    let is_too_large = close - content > token_limit;
                    if bytes.get(close) != Some(&b'"') || is_too_large {
                        if unescaped.is_some() {
                            doc.unescaped.pop();
                        }
                        break;
                    }
                    at = close + 1;
                    events += 2 + usize::from(close > content);
                    let mut node = Node::scalar(Kind::String, container, place, content, close);
                    if let Some(number) = unescaped {
                        node.set_unescaped(number);
                    }
                    node
                }
                b'-' | b'0'..=b'9' => {
                    match complete_number_end(bytes, start) {
                        Some(end) if end - start <= token_limit => at = end,
                        Some(_) | None => break,
                    }
                    events += 3;
                    Node::scalar(Kind::Number, container, place, start, at)
                }
                b't' | b'f' | b'n' => {
                    let (kind, len) = match bytes.get(start..).and_then(<[u8]>::first_chunk) {
                        Some(b"true") => (Kind::True, 4),
                        Some(b"null") => (Kind::Null, 4),
                        Some(b"fals") if bytes.get(start + 4) == Some(&b'e') => (Kind::False, 5),
                        Some(_) | None => break,
                    };
                    at += len;
                    events += 2;
                    Node::scalar(kind, container, place, start, at)
                }
                b'{' | b'[' if syntax.depth() < depth_limit => {
                    at += 1;
                    events += 1;
                    let kind = if first == b'{' {
                        Kind::Object
                    } else {
                        Kind::Array
                    };
                    Node::container(kind, container, place, start)
                }
                _ => break,
            };
            let id = NodeId::from_index(doc.nodes.len());
            let is_new = !is_object || names.is_new(&bytes[name.start()..name.end()]);
            make_room(&mut doc.nodes);
            doc.nodes.push(node);
            if !is_new && let Some(older) = names.older(doc, container, id) {
                doc.superseded.insert(container, older, id);
            }
            index += 1;
            last = Some(id);
            expect = Expect::CommaOrEnd;
            if matches!(first, b'{' | b'[') {
                doc.nodes[container.index()].set_last(id);
                container = id;
                index = 0;
                last = None;
                is_object = first == b'{';
                if is_object {
                    names.open_object();
                    syntax.open(Container::Object);
                } else {
                    syntax.open(Container::Array);
                }
                expect = syntax.expect();
            }
        }
        self.notes.count(events);
        if let Some(last) = last {
            doc.nodes[container.index()].set_last(last);
        }
        let is_named = match expect {
            Expect::Colon => true,
            Expect::Value => is_object,
            Expect::FirstElement
            | Expect::FirstName
            | Expect::Name
            | Expect::CommaOrEnd
            | Expect::Nothing => false,
        };
        self.cursor.name = is_named.then_some(Name {
            raw: name,
            escaped: false,
        });
        self.cursor.container = Some(container);
        syntax.set_expect(expect);
        self.automaton.lexer.set_at(at);
    }
}

/// Returns where the next token starts and its first byte.
#[inline]
fn next_token(bytes: &[u8], at: usize) -> Option<(usize, u8)> {
    match *bytes.get(at)? {
        byte if byte > b' ' => Some((at, byte)),
        _ => {
            let at = skip_whitespace(bytes, at);
            Some((at, *bytes.get(at)?))
        }
    }
}
