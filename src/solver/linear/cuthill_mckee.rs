//! Orders of small bandwidth: the reverse of the order in which waves pass through a graph.
//!
//! E. Cuthill and J. McKee number the vertices level by level from one end of the graph, neighbours of low degree first
//! (Proc. 24th ACM National Conference, 1969); the reverse never has a larger envelope. The end is found as A. George and
//! J. W. H. Liu do (ACM TOMS 5, 1979): from a vertex go to one of least degree among the farthest, as long as that
//! lengthens the wave.

/// Neighbours of every vertex of an undirected graph.
pub(super) struct Graph {
    first: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Graph {
    /// The graph of these edges, in which loops, both directions and repetitions make no difference.
    pub fn new(vertices: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let edges = edges.filter(|(a, b)| a != b);
        let mut first = vec![0; vertices + 1];
        for (a, b) in edges.clone() {
            first[a + 1] += 1;
            first[b + 1] += 1;
        }
        for vertex in 0..vertices {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let mut all = vec![0; first[vertices]];
        for (a, b) in edges {
            for (from, to) in [(a, b), (b, a)] {
                all[next[from]] = to;
                next[from] += 1;
            }
        }
        let mut neighbours = Vec::with_capacity(all.len());
        let mut ends = vec![0];
        for vertex in 0..vertices {
            let list = &mut all[first[vertex]..first[vertex + 1]];
            list.sort_unstable();
            let start = neighbours.len();
            for &neighbour in list.iter() {
                if neighbours.len() == start || neighbours.last() != Some(&neighbour) {
                    neighbours.push(neighbour);
                }
            }
            ends.push(neighbours.len());
        }
        Self { first: ends, neighbours }
    }

    fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    fn of(&self, vertex: usize) -> &[usize] {
        &self.neighbours[self.first[vertex]..self.first[vertex + 1]]
    }

    fn degree(&self, vertex: usize) -> usize {
        self.first[vertex + 1] - self.first[vertex]
    }
}

/// The vertices in reverse Cuthill-McKee order, component after component.
pub(super) fn reverse_cuthill_mckee(graph: &Graph) -> Vec<usize> {
    let size = graph.vertices();
    let mut order = Vec::with_capacity(size);
    let mut placed = vec![false; size];
    let mut wave = Wave { level: vec![FAR; size], vertices: Vec::new() };
    for seed in 0..size {
        if placed[seed] {
            continue;
        }
        let start = wave.end_of_component(graph, seed);
        placed[start] = true;
        let mut done = order.len();
        order.push(start);
        while let Some(&vertex) = order.get(done) {
            done += 1;
            let begin = order.len();
            for &neighbour in graph.of(vertex) {
                if !std::mem::replace(&mut placed[neighbour], true) {
                    order.push(neighbour);
                }
            }
            order[begin..].sort_by_key(|&vertex| graph.degree(vertex));
        }
    }
    order.reverse();
    order
}

const FAR: usize = usize::MAX;

/// Distances from a vertex within its component.
struct Wave {
    level: Vec<usize>,
    /// In the order of their distance.
    vertices: Vec<usize>,
}

impl Wave {
    /// Walks through the component of a vertex and returns the largest distance.
    fn spread(&mut self, graph: &Graph, from: usize) -> usize {
        self.vertices.iter().for_each(|&vertex| self.level[vertex] = FAR);
        self.vertices.clear();
        self.vertices.push(from);
        self.level[from] = 0;
        let mut done = 0;
        while let Some(&vertex) = self.vertices.get(done) {
            done += 1;
            for &neighbour in graph.of(vertex) {
                if self.level[neighbour] == FAR {
                    self.level[neighbour] = self.level[vertex] + 1;
                    self.vertices.push(neighbour);
                }
            }
        }
        self.vertices.last().map_or(0, |&last| self.level[last])
    }

    /// A vertex that is nearly as far from some other as any two of its component are.
    fn end_of_component(&mut self, graph: &Graph, seed: usize) -> usize {
        let mut length = self.spread(graph, seed);
        loop {
            let last = self.vertices.iter().rev().take_while(|&&vertex| self.level[vertex] == length);
            let end = last.min_by_key(|&&vertex| (graph.degree(vertex), vertex)).copied().unwrap_or(seed);
            let before = std::mem::replace(&mut length, self.spread(graph, end));
            if length <= before {
                return end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::linear::saddle_samples::Numbers;

    fn bandwidth(order: &[usize], edges: &[(usize, usize)]) -> usize {
        let mut place = vec![FAR; order.len()];
        order.iter().enumerate().for_each(|(at, &vertex)| place[vertex] = at);
        assert!(place.iter().all(|&place| place != FAR), "not a permutation");
        edges.iter().map(|&(a, b)| place[a].abs_diff(place[b])).max().unwrap_or(0)
    }

    #[test]
    fn chains_and_grids_are_narrow_from_any_numbering() {
        let mut numbers = Numbers(3);
        let mut names: Vec<usize> = (0..60).collect();
        for last in (1..60).rev() {
            names.swap(last, numbers.index(last + 1));
        }
        // A path, every vertex joined to the next two: least bandwidth 2.
        let chain: Vec<_> = (0..59).flat_map(|i| [(i, i + 1), (i, (i + 2).min(59))]).collect();
        // A grid of 5 × 12 points: least bandwidth 5, which the method need not find to the last one.
        let grid = (0..60).flat_map(|i| [(i, i + 5), (i, if i % 5 < 4 { i + 1 } else { i })]);
        let grid: Vec<_> = grid.filter(|&(_, b)| b < 60).collect();
        for (edges, narrow) in [(chain, 2), (grid, 6)] {
            let renamed: Vec<_> = edges.iter().map(|&(a, b)| (names[a], names[b])).collect();
            assert!(bandwidth(&(0..60).collect::<Vec<_>>(), &renamed) > 30);
            let order = reverse_cuthill_mckee(&Graph::new(60, renamed.iter().copied()));
            assert!(bandwidth(&order, &renamed) <= narrow);
        }
    }

    #[test]
    fn components_stay_apart() {
        let edges = [(0, 4), (4, 8), (1, 5), (5, 9), (5, 5), (9, 1)];
        let order = reverse_cuthill_mckee(&Graph::new(10, edges.into_iter()));
        assert_eq!(bandwidth(&order, &edges), 2);
        assert!(reverse_cuthill_mckee(&Graph::new(0, std::iter::empty())).is_empty());
    }
}
