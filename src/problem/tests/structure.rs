//! Each kind of structural mistake: its message and its place.

use serde_json::json;

use super::super::document::Document;
use super::super::validate::validate;
use super::{mistakes, only_mistake, with};

fn at(old: &str, new: &str) -> (usize, usize, String) {
    let (line, column, message, _) = only_mistake(old, new);
    (line, column, message)
}

#[test]
fn unknown_keys_name_the_nearest_and_all_keys_of_their_table() {
    let (line, column, message, help) = only_mistake("stiffness =", "stifness =");
    assert_eq!((line, column, message.as_str()), (19, 1, "unknown key `stifness` in [rod.beam]"));
    let keys =
        "model, from, to, curve, normal, twist, rigid, elements, grid, order, quadrature, stiffness, inertia, section";
    assert!(help.starts_with(&format!("did you mean `stiffness`? Keys here: {keys}, ")), "{help}");

    // A misspelt required key is one mistake, not an unknown and a missing one.
    let found = at("dimension = 2", "dimenson = 2");
    assert_eq!(found, (2, 1, "unknown key `dimenson` at the top level".to_owned()));

    let (line, _, message, help) = only_mistake("steps = 240", "steps = 240\ntitle2 = 1\n");
    assert_eq!((line, message.as_str()), (8, "unknown key `title2` in [time]"));
    assert_eq!(help, "Keys here: start, end, steps");
}

#[test]
fn keys_of_the_top_level_are_sent_there() {
    let all = mistakes("[time]\nend = 1\nsteps = 9\ngravity = [0, 0]\n[task.inverse-dynamics]\n");
    assert_eq!(all[1], (4, 1, "unknown key `gravity` in [time]".to_owned()));
    let (_, _, _, help) = only_mistake("steps = 240", "steps = 240\nbody.a = {}");
    assert!(help.starts_with("`body` is a table of its own: [body]. "), "{help}");
}

#[test]
fn missing_keys_are_told_at_the_header_of_their_table() {
    let (line, column, message, help) = only_mistake("end = 6.0\n", "");
    assert_eq!((line, column, message.as_str()), (5, 1, "missing key `end` in [time], expected a number"));
    assert_eq!(help, "`end`: Last instant, second.");

    let found = at("dimension = 2\n", "");
    assert_eq!(found, (1, 1, "missing key `dimension` at the top level, expected a whole number".to_owned()));
}

#[test]
fn missing_tables_are_told_at_the_start_of_the_file() {
    let all = mistakes("");
    assert_eq!(all.len(), 2, "{all:?}");
    let tasks = "[task.inverse-dynamics] or [task.statics] or [task.simulate] or [task.modes] or [task.mobility] or [task.optimal-control]";
    assert_eq!(all[1], (1, 1, format!("missing table [task], expected {tasks}")));
}

#[test]
fn wrong_types_tell_what_was_found_and_expected() {
    for (old, new, place, message, help) in [
        (
            "elements = 40",
            "elements = \"40\"",
            (18, 12),
            "`rod.beam.elements`: found string \"40\", expected a whole number",
            "remove the quotes: 40",
        ),
        (
            "elements = 40",
            "elements = 40.0",
            (18, 12),
            "`rod.beam.elements`: found number 40.0, expected a whole number",
            "remove the decimal point: 40",
        ),
        (
            "elements = 40",
            "elements = 40.5",
            (18, 12),
            "`rod.beam.elements`: found number 40.5, expected a whole number",
            "",
        ),
        (
            "at = \"beam.end\"",
            "at = 3",
            (28, 6),
            "`servo.tip.at`: found whole number 3, expected a string",
            "put it in quotes: \"3\"",
        ),
        ("end = 6.0", "end = true", (6, 7), "`time.end`: found boolean true, expected a number", ""),
        ("end = 6.0", "end = 2026-01-01", (6, 7), "`time.end`: found date or time 2026-01-01, expected a number", ""),
        ("to = [1.0, 0.0]", "to = 1.0", (17, 6), "`rod.beam.to`: found number 1.0, expected an array of numbers", ""),
        (
            "to = [1.0, 0.0]",
            "to = [1.0, \"x\"]",
            (17, 12),
            "`rod.beam.to[1]`: found string \"x\", expected a number",
            "",
        ),
        (
            "x = \"cos(phi*sigma)\"",
            "x = [1]",
            (29, 5),
            "`servo.tip.x`: found array of 1 entry, expected a number or a string",
            "",
        ),
        (
            "stiffness = { axial = 1.0, shear = 1.0, bending = 1.0 }",
            "stiffness = 1",
            (19, 13),
            "`rod.beam.stiffness`: found whole number 1, expected a table",
            "",
        ),
        (
            "acts = [\"force_x\", \"force_y\", \"torque\"]",
            "acts = \"force_x\"",
            (25, 8),
            "`actuator.base.acts`: found string \"force_x\", expected an array of strings",
            "put it in brackets: [\"force_x\"]",
        ),
        (
            "at = \"beam.end\"",
            "at = { a = 1, b = 2 }",
            (28, 6),
            "`servo.tip.at`: found table with a, b, expected a string",
            "",
        ),
    ] {
        let found = only_mistake(old, new);
        assert_eq!(found, (place.0, place.1, format!("wrong type for {message}"), help.to_owned()));
    }
}

#[test]
fn numbers_must_be_finite_and_within_bounds() {
    assert_eq!(at("gravity = [0.0, 0.0]", "gravity = [0.0, nan]").2, "`gravity[1]` is nan, expected a finite number");
    assert_eq!(at("phi = \"pi/2\"", "phi = -inf"), (10, 7, "`let.phi` is -inf, expected a finite number".to_owned()));
    assert_eq!(at("end = 6.0", "end = 1e999").2, "`time.end` is inf, expected a finite number");
    let negative = at("elements = 40", "elements = -3");
    assert_eq!(negative.2, "`rod.beam.elements` is -3, expected a whole number that is not negative");
    assert_eq!(
        at("steps = 240", "steps = 3"),
        (7, 9, "`time.steps` is 3, expected a whole number, at least 4".to_owned())
    );
    let plane = at("dimension = 2", "dimension = 4");
    assert_eq!(plane, (2, 13, "`dimension` is 4, expected 2 or 3".to_owned()));
}

#[test]
fn arrays_of_fixed_length_are_counted() {
    let joint = "[joint.a]\nbetween = [\"a\", \"b\", \"c\"]\ntype = \"rigid\"\n\n[expect]";
    assert_eq!(at("[expect]", joint), (37, 11, "`joint.a.between` has 3 entries, expected 2".to_owned()));
}

#[test]
fn unknown_choices_list_all() {
    let (line, column, message, help) = only_mistake("\"space-march\"", "\"spacemarch\"");
    assert_eq!((line, column, help.as_str()), (34, 10, "did you mean \"space-march\"?"));
    assert_eq!(
        message,
        "unknown choice \"spacemarch\" for `task.inverse-dynamics.method`: \
         expected one of \"auto\", \"space-march\", \"characteristics\", \"galerkin\", \"sequential\", \"boundary-value\", \"optimise\""
    );
    let (line, column, _, help) = only_mistake("\"force_y\"", "\"force-y\"");
    assert_eq!((line, column, help.as_str()), (25, 20, "did you mean \"force_y\"?"));
    let joint = "[joint.a]\nbetween = [\"a\", \"b\"]\ntype.rigid = {}\n\n[expect]";
    let (line, column, message, help) = only_mistake("[expect]", joint);
    assert_eq!((line, column), (38, 6));
    assert_eq!(
        message,
        "`joint.a.type` has a table `rigid`, expected one of \"rigid\", \"spherical\", \"revolute\", \"distance\", or exactly one \
         of the tables `revolute`, `prismatic`, `cylindrical`, `planar`, `universal`"
    );
    assert_eq!(help, "this choice has no values of its own: write type = \"rigid\"");
}

#[test]
fn tagged_tables_hold_exactly_one_choice() {
    let law = "law = \"logarithmic\"";
    let tables = "exactly one of the tables `circle`, `tube`, `rectangle`";
    let (line, _, message, help) = only_mistake(law, "section = \"circle\"");
    assert_eq!((line, message), (21, format!("`rod.beam.section` is the string \"circle\", expected {tables}")));
    assert_eq!(help, "`circle` is a table with values of its own: write [rod.beam.section.circle]");
    let (_, column, message, help) = only_mistake(law, "section.cirle = { radius = 1 }");
    assert_eq!((column, message), (9, format!("unknown choice `cirle` in [rod.beam.section]: expected {tables}")));
    assert_eq!(help, "did you mean `circle`?");
    let both = at(law, "section = { circle = { radius = 1 }, tube = { outer = 2, inner = 1 } }");
    assert_eq!(both, (21, 38, format!("[rod.beam.section] has `circle` and `tube`, expected {tables}")));
    assert_eq!(at(law, "section = {}").2, format!("[rod.beam.section] is empty, expected {tables}"));
    let inner = at(law, "section.tube = { outer = 2 }");
    assert_eq!(inner.2, "missing key `inner` in [rod.beam.section.tube], expected a number or a string");
}

#[test]
fn a_problem_has_exactly_one_task() {
    let task = "[task.inverse-dynamics]\nmethod = \"space-march\"";
    let expected =
        "exactly one of the tables `inverse-dynamics`, `statics`, `simulate`, `modes`, `mobility`, `optimal-control`";
    let (line, column, message, help) = only_mistake(task, "[task]");
    assert_eq!((line, column, message), (33, 1, format!("[task] is empty, expected {expected}")));
    let headers = "[task.inverse-dynamics] or [task.statics] or [task.simulate] or [task.modes] or [task.mobility] or [task.optimal-control]";
    assert_eq!(help, format!("a problem has exactly one task: {headers}"));
    let (line, column, message, _) = only_mistake("[expect]", "[task.plan]\n\n[expect]");
    assert_eq!((line, column), (36, 7));
    assert_eq!(message, format!("unknown choice `plan` in [task]: expected {expected}"));
    let (line, column, message, _) = only_mistake("[expect]", "[task.simulate]\n\n[expect]");
    assert_eq!((line, column), (36, 7));
    assert_eq!(message, format!("[task] has `inverse-dynamics` and `simulate`, expected {expected}"));
    let (line, _, message, help) = only_mistake(task, "[task]\ninverse-dynamic = {}");
    assert_eq!((line, help.as_str()), (34, "did you mean `inverse-dynamics`?"), "{message}");
}

#[test]
fn names_of_parts_fit_into_frames() {
    let expected = "expected a letter, then letters, digits, `-` or `_`";
    for (name, message) in [
        ("ground", "`ground` in [servo] is taken by the fixed frame, expected another name".to_owned()),
        ("\"\"", format!("`\"\"` in [servo] is empty, {expected}")),
        ("\"a.b\"", format!("`\"a.b\"` in [servo] is not a name, {expected}")),
        ("2nd", format!("`2nd` in [servo] is not a name, {expected}")),
    ] {
        assert_eq!(at("[servo.tip]", &format!("[servo.{name}]")), (27, 8, message));
    }
    assert!(super::read("x.toml", &with("[servo.tip]", "[servo.a-b_2]"), &[]).is_ok());
}

#[test]
fn a_forgotten_name_is_one_mistake() {
    let (line, column, message, help) = only_mistake("[rod.beam]", "[rod]");
    assert_eq!((line, column), (14, 1));
    assert_eq!(message, "[rod] has no name: found the key `model`, expected [rod.NAME] around it");
    assert_eq!(help, "each has a table with a name of your choice: [rod.NAME]");
    let (line, _, message, help) = only_mistake("[servo.tip]", "[[servo]]");
    assert_eq!((line, message.as_str()), (27, "wrong type for `servo`: found array of 1 entry, expected a table"));
    assert_eq!(help, "each has a table with a name of your choice: [servo.NAME]");
}

#[test]
fn all_mistakes_are_told_in_the_order_of_the_file() {
    let text =
        with("steps = 240", "steps = 2").replace("law = ", "lew = ").replace("gravity = [0.0, 0.0]", "gravity = 0");
    let text = text.replace("angle = ", "angel = ").replace("title = ", "titel = ");
    let found: Vec<(usize, usize)> = mistakes(&text).iter().map(|m| (m.0, m.1)).collect();
    assert_eq!(found, [(1, 1), (3, 11), (7, 9), (21, 1), (31, 1)]);
}

/// What the schema generator emits for types the problem file does not have yet.
#[test]
fn schemas_of_other_types_are_understood() {
    let schema = json!({ "type": "object", "additionalProperties": false, "properties": {
        "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }], "minItems": 1 },
        "mass": { "type": "number", "exclusiveMinimum": 0 },
        "either": { "anyOf": [{ "type": "number" }, { "type": "array", "items": { "type": "number" } }] },
        "flag": { "type": ["boolean", "null"] },
        "word": { "type": "string", "enum": ["one", "two"] },
        "task": { "oneOf": [
            { "type": "string", "enum": ["none"] },
            { "type": "object", "properties": { "a": { "type": "object" } }, "required": ["a"] },
            { "type": "object", "properties": { "b": { "type": "object" } }, "required": ["b"] },
        ] },
    } });
    let check = |text: &str| -> Vec<String> {
        let (document, mut found) = Document::parse("x.toml", text);
        validate(&schema, &document, true, &mut found);
        found.list.into_iter().map(|d| d.message).collect()
    };
    assert_eq!(check("pair = ['a', 1]\nmass = 1\neither = [1]\nflag = true\nword = 'two'\ntask = 'none'"), [""; 0]);
    assert_eq!(check("pair = [1, 'a']").len(), 2);
    assert_eq!(check("pair = []"), ["`pair` has 0 entries, expected at least 1"]);
    assert_eq!(check("mass = 0"), ["`mass` is 0, expected a number, more than 0"]);
    assert_eq!(check("either = true"), ["wrong type for `either`: found boolean true, expected a number or an array"]);
    assert_eq!(check("either = ['a']"), ["wrong type for `either[0]`: found string \"a\", expected a number"]);
    assert_eq!(check("flag = 1"), ["wrong type for `flag`: found whole number 1, expected true or false"]);
    assert_eq!(check("word = 'three'"), ["unknown choice \"three\" for `word`: expected one of \"one\", \"two\""]);
    let expected = "\"none\", or exactly one of the tables `a`, `b`";
    assert_eq!(check("[task.a]\n[task.b]"), [format!("[task] has `a` and `b`, expected {expected}")]);
    assert_eq!(check("task = 1"), [format!("wrong type for `task`: found whole number 1, expected {expected}")]);
}
