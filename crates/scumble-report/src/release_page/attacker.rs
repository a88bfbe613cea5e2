//! What somebody who knows a person can learn, and what not.

use super::{Meaning, ReleaseFacts, named};
use crate::method::Method;
use crate::page::Page;
use crate::text::Text;

pub(super) fn write(page: &mut Page, facts: &ReleaseFacts, method: Method) {
    page.section("What somebody who knows you can learn");
    let quasi = facts.names("quasi");
    let known = Text::from("Suppose somebody knows a person’s quasi-identifiers");
    let known = if quasi.is_empty() { known } else { known.plain(", that is ").then(&named(&quasi)).plain(",") };
    page.paragraph(
        known
            .plain(" and looks for that person in this release. ")
            .plain(found(facts, method))
            .plain(dealt(facts, method)),
    );
    page.paragraph(
        "What each requirement then keeps from them is said below. It holds for somebody who knows these columns and the \
         tables, and nothing else about the people in them.",
    );
    for (meaning, hides) in by_family(facts) {
        page.subsection(&meaning.family);
        for words in hides {
            page.paragraph(Text::new().strong("What stays hidden. ").plain(words));
        }
        page.paragraph(Text::new().strong("What it does not cover. ").plain(&meaning.leaves));
    }
    page.subsection("What no requirement covers").list(beyond(facts, method));
}

fn found(facts: &ReleaseFacts, method: Method) -> &'static str {
    match method {
        Method::Generalize => {
            "They find the group, or the groups, whose cells cover what they know. The rows of a group are alike in these \
             columns, so that nothing in them points to one row rather than to another."
        }
        Method::Permute if facts.people_repeat() => {
            "They may find the very rows, for these columns are exact, and with them the groups. The sensitive value in a row was \
             shuffled: it is the value of some row of the group, and nothing ties it to this row more than to another."
        }
        Method::Permute => {
            "They may find the very row, for these columns are exact, and with it the group. The sensitive value in that \
             row was shuffled: it is the value of somebody in the group, and nothing ties it to this person more than to \
             another."
        }
        Method::Anatomy => {
            "They may find the very row, for these columns are exact, and with it the group. The sensitive values of the \
             group stand in another table, and the tables do not say which of them is this person's."
        }
        Method::Angel => {
            "They find the rows whose cells cover what they know, and with them one or more batches. The sensitive values \
             of a batch stand in another table, and the tables do not say which of them is this person's."
        }
        Method::Other => "They may find the group that the person is in.",
    }
}

/// What the way in which people came to their groups or batches adds to what the tables claim.
fn dealt(facts: &ReleaseFacts, method: Method) -> &'static str {
    if !matches!(method, Method::Anatomy | Method::Angel) {
        return "";
    }
    if facts.people_repeat() {
        return " What is claimed of a row is the share of each value there. Whoever knows how rows were grouped, or how many of them \
                are of one person, may guess better than that.";
    }
    match (facts.algorithm.as_str(), facts.profile.as_str()) {
        ("angel", "hardened") => {
            " What is claimed of a person is the share of each value there. People were dealt by chance inside regions whose \
             ends were drawn by lot: whoever knows how it was done, and holds all ways to give the values to the people for equally \
             likely, finds nothing likelier than claimed by a factor of more than 2.9. Whoever knows what goes with what in the \
             world may guess better."
        }
        ("angel", "standard") => {
            " What is claimed of a person is the share of each value there. People were dealt by chance inside regions. \
             Where these end depends on the values, and tells something to whoever knows how it was done. Whoever knows what goes \
             with what in the world may guess better too."
        }
        _ => {
            " What is claimed of a person is the share of each value there. Whoever knows how people were grouped may guess \
             better than that."
        }
    }
}

/// The principles in the order in which they were first required, each with what its requirements hide.
fn by_family(facts: &ReleaseFacts) -> Vec<(&Meaning, Vec<&str>)> {
    let mut families: Vec<(&Meaning, Vec<&str>)> = Vec::new();
    for meaning in facts.requirements.iter().filter_map(|requirement| requirement.meaning.as_ref()) {
        let hides = meaning.hides.as_str();
        match families.iter_mut().find(|(first, _)| first.family == meaning.family) {
            Some((_, all)) if all.contains(&hides) => {}
            Some((_, all)) => all.push(hides),
            None => families.push((meaning, vec![hides])),
        }
    }
    families
}

fn beyond(facts: &ReleaseFacts, method: Method) -> Vec<Text> {
    let item = |head: &str, words: &str| Text::new().strong(head).plain(words);
    let mut items = vec![
        item("Presence. ", presence(method)),
        item(
            "Knowledge from elsewhere. ",
            "Somebody who knows the sensitive values of others in a group, or values that a person cannot have, can strike \
             them out and has fewer left to choose from. Everybody knows at least one value: their own.",
        ),
        item(
            "What is true of many. ",
            "A release exists so that something can be learned from it. That a habit goes with an illness is learned from \
             everybody, and may then be held of a person who was never in the table.",
        ),
        item(
            "Other releases. ",
            "Another release about the same people, with other groups, can be laid over this one, and a person may be the \
             only one whom both allow.",
        ),
    ];
    let sensitive = facts.names("sensitive");
    if sensitive.len() > 1 {
        items.push(Text::new().strong("Several sensitive columns. ").then(&named(&sensitive)).plain(
            " are published for the same people. Somebody who knows a person’s value in one of them may use it to \
                 find the values in the others.",
        ));
    }
    let kept = facts.names("kept");
    if !kept.is_empty() {
        items.push(Text::new().strong("Columns kept as they are. ").then(&named(&kept)).plain(
            ": published for each row as in the source, and not counted among what somebody may know. Whoever does \
             know this of a person can use it to pick among the rows.",
        ));
    }
    if method == Method::Angel && facts.files.iter().filter(|file| with_batches(&file.0)).count() > 1 {
        items.push(item(
            "Several tables of quasi-identifiers. ",
            "Laid over each other by their batches, these tables may single out a person whom each of them hides. The \
             requirements on sensitive values hold all the same; hiding who is in the release does not.",
        ));
    }
    items
}

/// The tables of an `angel` release that show quasi-identifiers with a batch.
fn with_batches(file: &str) -> bool {
    file.starts_with("generalized") || file.starts_with("marginal-")
}

fn presence(method: Method) -> &'static str {
    match method {
        Method::Permute | Method::Anatomy => {
            "The quasi-identifiers are exact: anybody can see whether somebody with these values is in the release."
        }
        _ => {
            "Whether a person is in the release at all is not protected. Where hardly more people exist who fit the cells \
             of a group than the group has rows, their presence is plain; where no cells fit, so is their absence."
        }
    }
}
