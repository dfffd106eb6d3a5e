//! Vectors and rotations of three components, as the tests of structures need them.

/// A vector.
pub type V = [f64; 3];
/// A rotation by its rows.
pub type R = [V; 3];

pub fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn scaled(a: V, by: f64) -> V {
    a.map(|x| x * by)
}

pub fn minus(a: V, b: V) -> V {
    add(a, scaled(b, -1.0))
}

pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

pub fn unit(a: V) -> V {
    scaled(a, 1.0 / norm(a))
}

/// Some direction across another: the same for the same input.
pub fn across(a: V) -> V {
    let away = if a[2].abs() < 0.9 * norm(a) { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    unit(cross(a, away))
}

/// A vector turned about an axis (Rodrigues).
pub fn turned(a: V, axis: V, angle: f64) -> V {
    let k = unit(axis);
    let (s, c) = angle.sin_cos();
    add(add(scaled(a, c), scaled(cross(k, a), s)), scaled(k, dot(k, a) * (1.0 - c)))
}

/// A rotation about an axis.
pub fn rotation(axis: V, angle: f64) -> R {
    let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| turned(e, axis, angle));
    [0, 1, 2].map(|row| [0, 1, 2].map(|column: usize| columns[column][row]))
}

pub fn apply(r: &R, a: V) -> V {
    [dot(r[0], a), dot(r[1], a), dot(r[2], a)]
}
