//! A principle: no sensitive value occurs more than `c` times in a group.

use scumble::{
    Arguments, Attained, Bag, Domain, Entry, Parameter, PlainWords, Principle, Range, Result, Subject, Test,
};
use std::sync::Arc;

/// No value occurs more than `c` times in a group.
#[derive(Debug, Clone, Copy)]
pub struct AtMost {
    c: u64,
}

/// All that there is to say about it without data: help, flags and the manual are made from this.
pub(crate) static ENTRY: Entry = Entry {
    name: "at-most",
    aliases: &["no-more-than"],
    parameters: &[Parameter::new("c", Range::Whole(1))],
    help: "no sensitive value occurs more than c times in a group",
    example: "at-most(3)",
    reference: "the example of a principle from outside",
    strictest: |_| Ok(vec![Arc::new(AtMost { c: 1 })]),
    ..Entry::parsed_by(read)
};

fn read(arguments: &Arguments<'_>) -> Result<Arc<dyn Principle>> {
    Ok(Arc::new(AtMost { c: arguments.whole(0)? }))
}

impl Principle for AtMost {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("at-most({})", self.c)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(*self))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let c: u64 = attained.figure("c")?.parse().ok()?;
        Some(AtMost { c: c.max(self.c) }.notation())
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        Some(PlainWords {
            family: "At most",
            demands: format!("no value of {} occurs more than {} times in a group", subject.name(), self.c),
            hides: "Who finds a person's group cannot tell which of its values is that person's.".into(),
            leaves: "A small group may still have few different values.".into(),
            guards_values: true,
        })
    }

    fn counts_values(&self) -> bool {
        true
    }
}

impl Test for AtMost {
    fn holds(&self, group: &Bag) -> bool {
        group.size() > 0 && u64::from(group.top()) <= self.c
    }

    fn attained(&self, group: &Bag) -> Attained {
        Attained::new(u64::MAX - u64::from(group.top()), vec![("c", group.top().to_string())])
    }
}
