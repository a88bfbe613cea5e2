//! Properties that hold for every principle: each test agrees with its definition computed another
//! way, union keeps what a monotone test says, and what is suggested really holds.

mod agreement;
mod dice;
mod dissimilarity;
mod distance;
mod divisible;
mod feasible;
mod fraction;
mod levels;
mod mixture;
mod monotone;
mod naive;
mod open;
mod paper4;
mod papers;
mod proximity;
mod slack;
mod window;
mod world;
