//! The oracle of the chunker: its rules, implemented naively. There is no matching and no sharing;
//! each snapshot is a separate value, and every question is answered by searching all of it.
//!
//! It has the options of the chunker, and requires a producer that keeps the rules: it panics on a
//! revision. Its text has the same style of escapes throughout.

use std::collections::BTreeSet;

use json_chunks::AbsentValues;

use crate::json::{Json, Text, stable_number, stable_text};
use crate::write::{Escapes, StringWriter, Style, write};

pub struct Reference {
    pub escapes: Escapes,
    pub growing_numbers: bool,
    pub absent_values: AbsentValues,
    /// The paths of all present values after this push.
    present: BTreeSet<String>,
    /// The paths of all present values after the previous push.
    present_before: BTreeSet<String>,
    before: Option<Json>,
    root: Option<Emitted>,
}

/// The emitted part of a value.
enum Emitted {
    Closed,
    /// An open string, with the number of emitted characters.
    Str(usize),
    /// A number that may continue, with the number of emitted bytes.
    Num(usize),
    Arr(Vec<Self>),
    Obj(Vec<(Text, Self)>),
}

impl Emitted {
    fn is_open(&self) -> bool {
        !matches!(self, Self::Closed)
    }
}

impl Reference {
    pub fn new(escapes: Escapes) -> Self {
        Self {
            escapes,
            growing_numbers: false,
            absent_values: AbsentValues::default(),
            present: BTreeSet::new(),
            present_before: BTreeSet::new(),
            before: None,
            root: None,
        }
    }

    pub fn push(&mut self, snapshot: &Json) -> String {
        let mut out = String::new();
        let before = self.before.replace(snapshot.clone());
        self.present_before = self.present.clone();
        self.mark_present("", before.as_ref(), snapshot);
        let is_container = matches!(snapshot, Json::Arr(_) | Json::Obj(_));
        match self.root.take() {
            None if !is_container && self.is_absent("") => {}
            None => self.root = Some(self.open("", None, snapshot, &mut out)),
            Some(mut root) => {
                self.grow("", &mut root, before.as_ref(), snapshot, &mut out);
                self.root = Some(root);
            }
        }
        out
    }

    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        match (&self.before, self.root.take()) {
            (None, _) => {}
            (Some(value), None) => self.write(value, &mut out),
            (Some(value), Some(root)) => self.complete(root, value, &mut out),
        }
        self.root = Some(Emitted::Closed);
        out
    }

    /// Records the values that are more than placeholders, now or at any time before.
    fn mark_present(&mut self, path: &str, before: Option<&Json>, value: &Json) -> bool {
        let mut present = match (self.absent_values, value) {
            (AbsentValues::Null, Json::Obj(members)) => members.is_empty(),
            (AbsentValues::Defaults, Json::Num(number)) => number.parse() != Ok(0.0),
            (AbsentValues::Defaults, Json::Str(text)) => !text.is_empty(),
            (AbsentValues::Defaults, Json::Bool(value)) => *value,
            (AbsentValues::Defaults, Json::Arr(elements)) => !elements.is_empty(),
            (AbsentValues::Null | AbsentValues::Defaults, Json::Null)
            | (AbsentValues::Defaults, Json::Obj(_)) => false,
            _ => true,
        };
        present |= match (before, value) {
            (None, _) | (Some(Json::Arr(_)), Json::Arr(_)) | (Some(Json::Obj(_)), Json::Obj(_)) => {
                self.present.contains(path)
            }
            (Some(before), value) => self.present.contains(path) || before != value,
        };
        match value {
            Json::Obj(members) => {
                for (name, value) in members {
                    let before = before.and_then(|before| before.member(name));
                    present |= self.mark_present(&member(path, name), before, value);
                }
            }
            Json::Arr(elements) => {
                let before: &[Json] = match before {
                    Some(Json::Arr(before)) => before,
                    _ => &[],
                };
                for (index, value) in elements.iter().enumerate() {
                    self.mark_present(&element(path, index), before.get(index), value);
                }
            }
            Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => {}
        }
        if present {
            self.present.insert(path.to_owned());
        }
        present
    }

    fn is_absent(&self, path: &str) -> bool {
        !self.present.contains(path)
    }

    fn was_absent(&self, path: &str) -> bool {
        !self.present_before.contains(path)
    }

    /// Opens a value: emits it as far as it is known. `before` is its previous state, if it was
    /// held.
    fn open(&self, path: &str, before: Option<&Json>, value: &Json, out: &mut String) -> Emitted {
        let mut opened = match value {
            Json::Null | Json::Bool(_) => {
                self.write(value, out);
                return Emitted::Closed;
            }
            Json::Num(number) => {
                let stable = stable_number(number);
                out.push_str(stable);
                return Emitted::Num(stable.len());
            }
            Json::Str(_) => {
                out.push('"');
                Emitted::Str(0)
            }
            Json::Arr(_) => {
                out.push('[');
                Emitted::Arr(Vec::new())
            }
            Json::Obj(_) => {
                out.push('{');
                Emitted::Obj(Vec::new())
            }
        };
        self.grow(path, &mut opened, before, value, out);
        opened
    }

    /// Emits the growth of an open value from `before` to `value`.
    fn grow(
        &self,
        path: &str,
        emitted: &mut Emitted,
        before: Option<&Json>,
        value: &Json,
        out: &mut String,
    ) {
        match (emitted, value) {
            (Emitted::Closed, value) => assert_eq!(before, Some(value)),
            (Emitted::Str(length), Json::Str(text)) => {
                let stable = stable_text(text);
                // Emitted text stays, even if the end of the string may change again.
                if stable.len() > *length {
                    self.characters(&stable[*length..], out);
                    *length = stable.len();
                }
            }
            (Emitted::Num(length), Json::Num(number)) => {
                let stable = stable_number(number);
                if stable.len() > *length {
                    out.push_str(stable.get(*length..).unwrap());
                    *length = stable.len();
                }
            }
            (Emitted::Arr(emitted), Json::Arr(elements)) => {
                let before: &[Json] = match before {
                    Some(Json::Arr(before)) => before,
                    _ => &[],
                };
                self.array(path, emitted, before, elements, out);
            }
            (Emitted::Obj(emitted), Json::Obj(members)) => {
                self.object(path, emitted, before, members, out);
            }
            _ => panic!("the kind changed to {value:?}"),
        }
    }

    fn array(
        &self,
        path: &str,
        emitted: &mut Vec<Emitted>,
        before: &[Json],
        elements: &[Json],
        out: &mut String,
    ) {
        let Some((last, earlier)) = elements.split_last() else {
            return;
        };
        if emitted.len() == elements.len() {
            let growing = emitted.last_mut().unwrap();
            let path = element(path, earlier.len());
            return self.grow(&path, growing, before.last(), last, out);
        }
        self.complete_last_element(emitted, elements, out);
        for element in &earlier[emitted.len()..] {
            comma(!emitted.is_empty(), out);
            self.write(element, out);
            emitted.push(Emitted::Closed);
        }
        comma(!emitted.is_empty(), out);
        let path = element(path, earlier.len());
        emitted.push(self.open(&path, before.get(earlier.len()), last, out));
    }

    fn object(
        &self,
        path: &str,
        emitted: &mut Vec<(Text, Emitted)>,
        before: Option<&Json>,
        members: &[(Text, Json)],
        out: &mut String,
    ) {
        let known = |name: &[u32]| before.and_then(|before| before.member(name));
        let (mut new, mut unchanged, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for (name, value) in members {
            let is_put_out = emitted.iter().any(|(other, _)| other == name);
            if is_put_out || self.is_absent(&member(path, name)) {
                continue;
            }
            match known(name).filter(|_| !self.was_absent(&member(path, name))) {
                None => new.push((name, value)),
                Some(before) if before == value => unchanged.push((name, value)),
                Some(_) => changed.push((name, value)),
            }
        }
        let of_members = |name: &[u32]| {
            let own = members.iter().find(|(other, _)| other == name);
            &own.unwrap_or_else(|| panic!("{name:?} is gone")).1
        };
        let open_has_changed = emitted.last().is_some_and(|(name, emitted)| {
            emitted.is_open() && known(name) != Some(of_members(name))
        });

        if !new.is_empty() {
            self.complete_last_member(emitted, members, out);
            for (name, value) in unchanged.into_iter().chain(changed) {
                self.write_member(emitted, name, value, out);
            }
            for (name, value) in new.iter().filter(|(_, value)| value.is_literal()) {
                self.write_member(emitted, name, value, out);
            }
            let growable: Vec<_> = new.iter().filter(|(_, value)| self.grows(value)).collect();
            let numbers = |&&(_, value): &&(_, &Json)| !value.is_literal() && !self.grows(value);
            let mut numbers = new.iter().filter(numbers).peekable();
            while let Some((name, value)) = numbers.next() {
                if numbers.peek().is_none() && growable.len() != 1 {
                    self.open_member(path, emitted, name, None, value, out);
                } else {
                    self.write_member(emitted, name, value, out);
                }
            }
            if let [(name, value)] = growable[..] {
                self.open_member(path, emitted, name, None, value, out);
            }
        } else if open_has_changed {
            let (name, growing) = emitted.last_mut().unwrap();
            let path = member(path, name);
            self.grow(&path, growing, known(name), of_members(name), out);
        } else if !changed.is_empty() {
            self.complete_last_member(emitted, members, out);
            for (name, value) in unchanged {
                self.write_member(emitted, name, value, out);
            }
            if let [(name, value)] = changed[..] {
                self.open_member(path, emitted, name, known(name), value, out);
            }
        }
    }

    fn grows(&self, value: &Json) -> bool {
        match value {
            Json::Null | Json::Bool(_) => false,
            Json::Num(_) => self.growing_numbers,
            Json::Str(_) | Json::Arr(_) | Json::Obj(_) => true,
        }
    }

    fn open_member(
        &self,
        path: &str,
        emitted: &mut Vec<(Text, Emitted)>,
        name: &Text,
        before: Option<&Json>,
        value: &Json,
        out: &mut String,
    ) {
        self.name(emitted, name, out);
        let path = member(path, name);
        emitted.push((name.clone(), self.open(&path, before, value, out)));
    }

    fn write_member(
        &self,
        emitted: &mut Vec<(Text, Emitted)>,
        name: &Text,
        value: &Json,
        out: &mut String,
    ) {
        self.name(emitted, name, out);
        self.write(value, out);
        emitted.push((name.clone(), Emitted::Closed));
    }

    /// Emits the rest of a value and closes it.
    fn complete(&self, emitted: Emitted, value: &Json, out: &mut String) {
        match (emitted, value) {
            (Emitted::Closed, _) => {}
            (Emitted::Str(length), Json::Str(text)) => {
                self.characters(&text[length..], out);
                out.push('"');
            }
            (Emitted::Num(length), Json::Num(number)) => {
                out.push_str(number.get(length..).unwrap());
            }
            (Emitted::Arr(mut emitted), Json::Arr(elements)) => {
                self.complete_last_element(&mut emitted, elements, out);
                for (index, element) in elements.iter().enumerate().skip(emitted.len()) {
                    comma(index > 0, out);
                    self.write(element, out);
                }
                out.push(']');
            }
            (Emitted::Obj(mut emitted), Json::Obj(members)) => {
                self.complete_last_member(&mut emitted, members, out);
                for (name, value) in members {
                    if emitted.iter().all(|(other, _)| other != name) {
                        self.write_member(&mut emitted, name, value, out);
                    }
                }
                out.push('}');
            }
            _ => panic!("the kind changed to {value:?}"),
        }
    }

    fn complete_last_element(
        &self,
        emitted: &mut Vec<Emitted>,
        elements: &[Json],
        out: &mut String,
    ) {
        if let Some(last) = emitted.pop() {
            self.complete(last, &elements[emitted.len()], out);
            emitted.push(Emitted::Closed);
        }
    }

    fn complete_last_member(
        &self,
        emitted: &mut Vec<(Text, Emitted)>,
        members: &[(Text, Json)],
        out: &mut String,
    ) {
        if let Some((name, last)) = emitted.pop() {
            let own = members.iter().find(|(other, _)| *other == name);
            let (_, value) = own.unwrap_or_else(|| panic!("{name:?} is gone"));
            self.complete(last, value, out);
            emitted.push((name, Emitted::Closed));
        }
    }

    fn name(&self, emitted: &[(Text, Emitted)], name: &[u32], out: &mut String) {
        comma(!emitted.is_empty(), out);
        out.push('"');
        self.characters(name, out);
        out.push_str("\":");
    }

    fn characters(&self, text: &[u32], out: &mut String) {
        StringWriter::new(self.escapes).characters(text, out);
    }

    fn write(&self, value: &Json, out: &mut String) {
        out.push_str(&write(value, Style::plain(self.escapes)));
    }
}

fn member(path: &str, name: &[u32]) -> String {
    format!("{path}/{name:?}")
}

fn element(path: &str, index: usize) -> String {
    format!("{path}/{index}")
}

fn comma(owed: bool, out: &mut String) {
    if owed {
        out.push(',');
    }
}
