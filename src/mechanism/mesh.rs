//! Where the elements of a rod meet.

/// Elements along a rod, and the places where what the rod is made of has kinks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Arc lengths where elements meet, from 0 to L, metre; empty for elements of equal length.
    pub boundaries: Vec<f64>,
    /// Arc lengths where sections or their twist are not smooth, increasing, metre. Quadrature over an element has full
    /// order only between them.
    pub kinks: Vec<f64>,
}

impl Mesh {
    /// `elements` elements that meet at all stations: as many in each interval between stations, what is left over in those
    /// with the longest elements. `None` if there are fewer than intervals.
    ///
    /// ```
    /// use lariat::mechanism::Mesh;
    ///
    /// let mesh = Mesh::at_stations(&[0.0, 1.0, 4.0], 3).unwrap();
    /// assert_eq!(mesh.boundaries, [0.0, 1.0, 2.5, 4.0]);
    /// assert_eq!(Mesh::at_stations(&[0.0, 1.0, 4.0], 1), None);
    /// ```
    pub fn at_stations(stations: &[f64], elements: usize) -> Option<Self> {
        let intervals = stations.len().checked_sub(1).filter(|intervals| *intervals > 0)?;
        let each = elements / intervals;
        if each == 0 {
            return None;
        }
        let mut parts = vec![each; intervals];
        let length = |i: usize| stations[i + 1] - stations[i];
        for _ in 0..elements % intervals {
            // The first of the longest, so that the mesh does not depend on rounding of equal lengths.
            let mut longest = 0;
            for i in 1..intervals {
                let (here, best) = (length(i) / parts[i] as f64, length(longest) / parts[longest] as f64);
                if here > best * (1.0 + 1e-9) {
                    longest = i;
                }
            }
            parts[longest] += 1;
        }
        let mut boundaries = vec![stations[0]];
        for (i, &count) in parts.iter().enumerate() {
            boundaries.extend((1..count).map(|k| stations[i] + length(i) * k as f64 / count as f64));
            boundaries.push(stations[i + 1]);
        }
        Some(Self { boundaries, kinks: stations.to_vec() })
    }

    /// The parts of an element from `start` of this length between kinks: beginnings and lengths.
    pub fn smooth_pieces(&self, start: f64, length: f64) -> Vec<(f64, f64)> {
        let end = start + length;
        // A kink at the end of the element, up to rounding, divides nothing.
        let inside = |s: &&f64| **s > start + 1e-9 * length && **s < end - 1e-9 * length;
        let mut pieces = Vec::with_capacity(1);
        let mut from = start;
        for &s in self.kinks.iter().filter(inside) {
            pieces.push((from, s - from));
            from = s;
        }
        pieces.push((from, end - from));
        if pieces.len() == 1 { vec![(start, length)] } else { pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stations at 0, 1, 4, 6 and eight elements: two each, and the interval with the longest, of 1.5 and then of 1 m, gets
    /// the other two; of equals the first.
    #[test]
    fn every_interval_has_elements_and_the_longest_more() {
        let mesh = Mesh::at_stations(&[0.0, 1.0, 4.0, 6.0], 8).unwrap();
        let lengths: Vec<f64> = mesh.boundaries.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let expected = [0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1.0, 1.0];
        assert!(lengths.iter().zip(expected).all(|(l, e)| (l - e).abs() < 1e-15), "{lengths:?}");
        assert!([0.0, 1.0, 4.0, 6.0].iter().all(|s| mesh.boundaries.contains(s)));
    }

    #[test]
    fn elements_are_cut_at_kinks_inside_them() {
        let mesh = Mesh { boundaries: Vec::new(), kinks: vec![0.0, 1.0, 1.5, 2.0] };
        assert_eq!(mesh.smooth_pieces(0.0, 1.0), [(0.0, 1.0)]);
        assert_eq!(mesh.smooth_pieces(0.5, 1.25), [(0.5, 0.5), (1.0, 0.5), (1.5, 0.25)]);
    }
}
