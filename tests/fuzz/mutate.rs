//! Mutants of texts and bytes: values, keys, lines and bytes changed at random, always the same for the same seed.

/// SplitMix64 (Steele, Lea and Flood 2014) for choices.
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// Any 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`; 0 of nothing.
    pub fn below(&mut self, count: usize) -> usize {
        (self.roll() % count.max(1) as u64) as usize
    }

    /// One of them.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// Evenly from 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Values that break what does not look at them.
const HOSTILE: [&str; 30] = [
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-300",
    "1e-12",
    "1e12",
    "-1",
    "0",
    "-0.0",
    "1",
    "2",
    "3",
    "7",
    "64",
    "50000000",
    "1000000000",
    "1000000000000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "1e18",
    "\"\"",
    "\"t\"",
    "\"1/t\"",
    "[]",
    "{}",
    "true",
    "1979-05-27",
];

/// Formulas without a value, with too many, or too deep.
const FORMULAS: [&str; 14] = [
    "0/0",
    "1/(t-t)",
    "log(-t)",
    "sqrt(t-1e9)",
    "exp(exp(exp(t+9)))",
    "t^t^t^t",
    "abs(t-0.5)",
    "rest(t, 0, 0, 0)",
    "s",
    "t*1e308*1e308",
    "sin(1e300*t)",
    "(",
    "tan(1.5707963267948966)",
    "-----t",
];

/// Words of problem files, to stand where another one did.
const WORDS: [&str; 28] = [
    "ground",
    "beam.start",
    "beam.end",
    "beam@0.25",
    "beam",
    "rod",
    "string",
    "kirchhoff",
    "clamp",
    "hinge",
    "free",
    "revolute",
    "spherical",
    "rigid",
    "prismatic",
    "equilibrium",
    "reference",
    "galerkin",
    "characteristics",
    "space-march",
    "exact",
    "elements",
    "order",
    "steps",
    "count",
    "damping",
    "prestrain",
    "force_x",
];

/// A mutant of a problem file: one to four changes.
pub fn problem(text: &str, dice: &mut Dice) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + dice.below(4).saturating_sub(1) {
        text = match dice.below(16) {
            0..=4 => number(&text, dice, |dice| dice.pick(&HOSTILE).to_owned()),
            5..=7 => scaled(&text, dice),
            8 => quoted(&text, dice),
            9 => lines(&text, dice),
            10 => lines(&text, dice),
            11 => value(&text, dice),
            12 => key(&text, dice),
            13 => String::from_utf8_lossy(&bytes(text.as_bytes(), dice)).into_owned(),
            14 => deep(&text, dice),
            _ => number(&text, dice, |dice| dice.pick(&HOSTILE).to_owned()),
        };
    }
    text
}

/// A mutant whose numbers alone are others, by factors of 0.1 to 10 and now and then by far more.
pub fn scaled(text: &str, dice: &mut Dice) -> String {
    let places = numbers(text);
    if places.is_empty() {
        return text.to_owned();
    }
    let (from, to) = places[dice.below(places.len())];
    let Ok(value) = text[from..to].parse::<f64>() else { return text.to_owned() };
    let span = if dice.below(8) == 0 { 12.0 } else { 1.0 };
    let changed = value * 10f64.powf(span * (2.0 * dice.share() - 1.0));
    let is_whole = !text[from..to].contains(['.', 'e', 'E']);
    let shown = if is_whole { format!("{:.0}", changed.clamp(-1e15, 1e15)) } else { format!("{changed:?}") };
    format!("{}{shown}{}", &text[..from], &text[to..])
}

/// A mutant of a file of any kind: bytes flipped, cut, repeated, put in.
pub fn bytes(content: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut content = content.to_vec();
    for _ in 0..1 + dice.below(3) {
        let length = content.len();
        let at = dice.below(length);
        match dice.below(7) {
            0 if length > 0 => content[at] ^= 1 << dice.below(8),
            1 if length > 0 => content[at] = dice.roll() as u8,
            2 => content.truncate(at),
            3 => {
                let to = (at + dice.below(64)).min(length);
                content.drain(at..to);
            }
            4 => {
                let to = (at + dice.below(64)).min(length);
                let again = content[at..to].to_vec();
                content.splice(at..at, again);
            }
            5 => {
                content.splice(at..at, dice.pick(&HOSTILE).bytes());
            }
            _ if length >= 8 => {
                let at = dice.below(length - 7);
                let value = [0, 1, u64::MAX, 1 << 31, 1 << 40, i64::MAX as u64][dice.below(6)];
                content[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            _ => {}
        }
    }
    content
}

/// A mutant of a text that is a list of tokens: one number becomes another, or bytes change.
pub fn tokens(content: &[u8], dice: &mut Dice) -> Vec<u8> {
    match (dice.below(3), std::str::from_utf8(content)) {
        (0, Ok(text)) => number(text, dice, |dice| dice.pick(&HOSTILE[..23]).to_owned()).into_bytes(),
        (1, Ok(text)) => lines(text, dice).into_bytes(),
        _ => bytes(content, dice),
    }
}

/// Places of numbers in a text, outside of names.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let all = text.as_bytes();
    let mut places = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let begins = all[at].is_ascii_digit();
        let inside =
            at > 0 && (all[at - 1].is_ascii_alphanumeric() || matches!(all[at - 1], b'_' | b'.' | b'@' | b'-'));
        if !begins || (inside && all[at - 1] != b'-') {
            at += 1;
            continue;
        }
        let mut end = at;
        while end < all.len() {
            let exponent = matches!(all[end], b'-' | b'+') && matches!(all[end - 1], b'e' | b'E');
            if !(all[end].is_ascii_digit() || matches!(all[end], b'.' | b'e' | b'E') || exponent) {
                break;
            }
            end += 1;
        }
        places.push((at, end));
        at = end.max(at + 1);
    }
    places
}

fn number(text: &str, dice: &mut Dice, by: impl Fn(&mut Dice) -> String) -> String {
    let places = numbers(text);
    if places.is_empty() {
        return text.to_owned();
    }
    let (from, to) = places[dice.below(places.len())];
    format!("{}{}{}", &text[..from], by(dice), &text[to..])
}

/// Something between quotes becomes a formula or another word.
fn quoted(text: &str, dice: &mut Dice) -> String {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    if quotes.len() < 2 {
        return text.to_owned();
    }
    let pair = 2 * dice.below(quotes.len() / 2);
    let (from, to) = (quotes[pair] + 1, quotes[pair + 1]);
    let other = if dice.below(2) == 0 { dice.pick(&FORMULAS) } else { dice.pick(&WORDS) };
    format!("{}{other}{}", &text[..from], &text[to..])
}

/// Lines removed, repeated, exchanged, or a whole table without its end.
fn lines(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(5) {
        0 | 1 => {
            lines.remove(a);
        }
        2 => lines.insert(b, lines[a]),
        3 => lines.swap(a, b),
        _ => {
            let to = (a + 1 + dice.below(6)).min(lines.len());
            lines.drain(a..to);
        }
    }
    lines.join("\n") + "\n"
}

/// What a key is set to becomes something else.
fn value(text: &str, dice: &mut Dice) -> String {
    let places: Vec<(usize, &str)> = text.match_indices(" = ").map(|(at, found)| (at + 3, found)).collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let from = places[dice.below(places.len())].0;
    let to = from + text[from..].find('\n').unwrap_or(text.len() - from);
    let formula = format!("\"{}\"", dice.pick(&FORMULAS));
    let other = if dice.below(3) == 0 { &formula } else { dice.pick(&HOSTILE) };
    format!("{}{other}{}", &text[..from], &text[to..])
}

/// A key becomes another one of the same file.
fn key(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let keyed: Vec<usize> = (0..lines.len()).filter(|&k| lines[k].contains(" = ")).collect();
    if keyed.is_empty() {
        return text.to_owned();
    }
    let (a, b) = (keyed[dice.below(keyed.len())], keyed[dice.below(keyed.len())]);
    let name = lines[b].split(" = ").next().unwrap_or_default().to_owned();
    let rest = lines[a].split_once(" = ").map_or(String::new(), |(_, rest)| rest.to_owned());
    lines[a] = format!("{name} = {rest}");
    lines.join("\n") + "\n"
}

/// A number becomes something nested deeply: brackets, tables, a formula of many parentheses or powers.
fn deep(text: &str, dice: &mut Dice) -> String {
    let levels = [10, 100, 1_000, 20_000][dice.below(4)];
    let kind = dice.below(5);
    number(text, dice, |_| match kind {
        0 => format!("{}{}", "[".repeat(levels), "]".repeat(levels)),
        1 => format!("{}1{}", "{ a = ".repeat(levels), " }".repeat(levels)),
        2 => format!("\"{}t{}\"", "(".repeat(levels), ")".repeat(levels)),
        3 => format!("\"{}t\"", "-".repeat(levels)),
        _ => format!("\"{}1\"", "t^".repeat(levels)),
    })
}
