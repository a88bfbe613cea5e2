//! Names put together from common given and family names; no person who bears
//! such a combination is meant.

/// Given names by sex, men first, the commoner the further up.
#[rustfmt::skip]
pub(crate) const GIVEN: [[&str; 48]; 2] = [
    [
        "James", "Robert", "John", "Michael", "David", "William", "Richard", "Joseph",
        "Thomas", "Carlos", "Daniel", "Matthew", "Anthony", "Mark", "Steven", "Paul",
        "Andrew", "Kevin", "Brian", "George", "Luis", "Edward", "Ahmed", "Jason",
        "Ryan", "Jacob", "Eric", "Wei", "Samuel", "Omar", "Patrick", "Victor",
        "Adam", "Nathan", "Peter", "Diego", "Kyle", "Noah", "Ethan", "Arjun",
        "Walter", "Kenji", "Leon", "Mateo", "Oscar", "Felix", "Hugo", "Ivan",
    ],
    [
        "Mary", "Patricia", "Jennifer", "Linda", "Elizabeth", "Barbara", "Susan", "Jessica",
        "Sarah", "Karen", "Maria", "Nancy", "Lisa", "Margaret", "Sandra", "Ashley",
        "Emily", "Donna", "Michelle", "Carol", "Amanda", "Melissa", "Ana", "Stephanie",
        "Rebecca", "Laura", "Fatima", "Cynthia", "Amy", "Angela", "Anna", "Mei",
        "Emma", "Nicole", "Helen", "Rosa", "Rachel", "Julia", "Grace", "Priya",
        "Sofia", "Yuki", "Clara", "Lucia", "Alice", "Hannah", "Irene", "Olga",
    ],
];

/// Family names, the commoner the further up.
#[rustfmt::skip]
pub(crate) const FAMILY: [&str; 96] = [
    "Smith", "Johnson", "Williams", "Brown", "Jones", "Garcia", "Miller", "Davis",
    "Rodriguez", "Martinez", "Hernandez", "Lopez", "Gonzalez", "Wilson", "Anderson", "Thomas",
    "Taylor", "Moore", "Jackson", "Martin", "Lee", "Perez", "Thompson", "White",
    "Harris", "Sanchez", "Clark", "Ramirez", "Lewis", "Robinson", "Walker", "Young",
    "Allen", "King", "Wright", "Scott", "Torres", "Nguyen", "Hill", "Flores",
    "Green", "Adams", "Nelson", "Baker", "Hall", "Rivera", "Campbell", "Mitchell",
    "Carter", "Roberts", "Gomez", "Phillips", "Evans", "Turner", "Diaz", "Parker",
    "Cruz", "Edwards", "Collins", "Reyes", "Stewart", "Morris", "Morales", "Murphy",
    "Cook", "Rogers", "Gutierrez", "Ortiz", "Morgan", "Cooper", "Peterson", "Bailey",
    "Reed", "Kelly", "Howard", "Ramos", "Kim", "Cox", "Ward", "Richardson",
    "Watson", "Brooks", "Chavez", "Wood", "Bennett", "Gray", "Mendoza", "Ruiz",
    "Hughes", "Price", "Alvarez", "Castillo", "Sanders", "Patel", "Myers", "Long",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words_and_listed_once() {
        for list in [&GIVEN[0][..], &GIVEN[1], &FAMILY] {
            let mut sorted = list.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), list.len());
            for name in list {
                assert!(name.bytes().all(|byte| byte.is_ascii_alphabetic()), "{name}");
            }
        }
    }
}
