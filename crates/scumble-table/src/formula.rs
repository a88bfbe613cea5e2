//! Tests joined by `and`, `or` and `not`.

use std::convert::Infallible;

/// A formula over tests of type `T`. Rows of `and` or `or` are flat; only parentheses and `not` nest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula<T> {
    /// All of them; true if there is none.
    And(Vec<Formula<T>>),
    /// Any of them.
    Or(Vec<Formula<T>>),
    /// The opposite.
    Not(Box<Formula<T>>),
    /// A test.
    Test(T),
}

impl<T> Formula<T> {
    /// The same formula over other tests, or the first failure to make one of them.
    ///
    /// # Errors
    /// The failure.
    pub fn try_map<'a, U, E>(&'a self, map: &impl Fn(&'a T) -> Result<U, E>) -> Result<Formula<U>, E> {
        let all = |parts: &'a [Formula<T>]| parts.iter().map(|part| part.try_map(map)).collect::<Result<Vec<_>, E>>();
        Ok(match self {
            Formula::And(parts) => Formula::And(all(parts)?),
            Formula::Or(parts) => Formula::Or(all(parts)?),
            Formula::Not(inner) => Formula::Not(Box::new(inner.try_map(map)?)),
            Formula::Test(test) => Formula::Test(map(test)?),
        })
    }

    /// The same formula over other tests.
    pub fn map<'a, U>(&'a self, map: impl Fn(&'a T) -> U) -> Formula<U> {
        let Ok(mapped) = self.try_map(&|test| Ok::<_, Infallible>(map(test)));
        mapped
    }

    /// All tests in the order of the text.
    pub fn tests(&self) -> Vec<&T> {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(Formula::tests).collect(),
            Formula::Not(inner) => inner.tests(),
            Formula::Test(test) => vec![test],
        }
    }
}
