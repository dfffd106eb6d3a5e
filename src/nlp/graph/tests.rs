//! Derivatives of graphs against hyper-dual numbers.
