//! What every report must be: well-formed, silent towards the network, escaped, deterministic and true.

mod charts;
mod contrast;
mod escaping;
mod markup;
mod no_network;
mod release;
mod sample;
mod structure;
