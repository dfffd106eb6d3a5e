//! Tables along a rod: values, and every mistake in its place.

use super::*;

const BLADE: &str = "\u{feff}# a blade
s, axial, shear_1, shear_2, bending_1, bending_2, torsion, mass, inertia_1, inertia_2, mass_offset_1, elastic_offset_2

0.0, 8e9, 4e9, 3e9, 2e9, 1e9, 5e8, 800, 20, 10, 0.0, 0.1
10.0, 6e9, 2e9, 1e9, 1e9, 5e8, 3e8, 600, 10, 6, 0.2, 0.3
40.0, 3e8, 1e8, 5e7, 1e7, 5e6, 3e6, 100, 1, 0.6, 0.4, 0.3
";

fn messages(text: &str, resists: Resists) -> Vec<String> {
    SectionTable::parse(text, 40.0, resists).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn columns_are_linear_between_stations() {
    let table = SectionTable::parse(BLADE, 40.0, Resists::InSpace).unwrap();
    assert_eq!(table.stations().collect::<Vec<_>>(), [0.0, 10.0, 40.0]);
    let section = table.at(2.5);
    let expected = [3.5e9, 2.5e9, 7.5e9, 1.75e9, 8.75e8, 4.5e8];
    for (k, value) in expected.into_iter().enumerate() {
        assert!((section.stiffness[(k, k)] / value - 1.0).abs() < 1e-15, "{k}");
    }
    assert_eq!((section.mass, section.mass_offset[0]), (750.0, 0.05));
    assert!((section.elastic_offset[1] - 0.15).abs() < 1e-16);
    assert!((section.inertia[(2, 2)] - (17.5 + 9.0)).abs() < 1e-13, "the polar inertia is the sum unless stated");
    assert_eq!(section.check(), Ok(()));
    // Stations themselves, both ends and beyond.
    assert_eq!(table.at(10.0).mass, 600.0);
    assert_eq!(table.at(40.0).mass, 100.0);
    assert_eq!((table.at(-1.0), table.at(41.0)), (table.at(0.0), table.at(40.0)));
}

/// The shear centre is given from the axis; without it, it is the elastic centre and nothing couples.
#[test]
fn the_shear_centre_couples_shear_and_twist() {
    let text = "s,axial,shear_1,shear_2,bending_1,bending_2,torsion,mass,inertia_1,inertia_2,elastic_offset_1";
    let row = ",9,4,5,1,2,0.7,1,0.1,0.2,0.25";
    let plain = SectionTable::parse(&format!("{text}\n0{row}\n1{row}"), 2.0, Resists::InSpace).unwrap();
    assert_eq!(plain.at(1.0).stiffness[(1, 5)], 0.0);
    let coupled = format!("{text},shear_offset_1\n0{row},0.75\n1{row},0.75");
    let coupled = SectionTable::parse(&coupled, 2.0, Resists::InSpace).unwrap().at(1.0);
    let by_hand = Section::principal(9.0, [4.0, 5.0], [1.0, 2.0], 0.7, 1.0, [0.1, 0.2, 0.3]);
    assert_eq!(coupled.stiffness, by_hand.with_shear_centre([0.5, 0.0]).stiffness);
}

/// The last station decides: the length of the rod means metres, 1 means fractions.
#[test]
fn metres_or_fractions() {
    let text = "s,axial,mass\n0,1,1\n0.25,2,1\n1,3,1\n";
    let fractions = SectionTable::parse(text, 8.0, Resists::Stretch).unwrap();
    assert_eq!(fractions.stations().collect::<Vec<_>>(), [0.0, 2.0, 8.0]);
    let metres = SectionTable::parse(text, 1.0, Resists::Stretch).unwrap();
    assert_eq!(metres.at(0.25).stiffness[(2, 2)], 2.0);
    // A rod of 8.0000001 m may be given as 8 m long; the last station is moved to its end.
    let text = "s,axial,mass\n0,1,1\n8,3,1\n";
    let rounded = SectionTable::parse(text, 8.000_000_1, Resists::Stretch).unwrap();
    assert_eq!(rounded.stations().last(), Some(8.000_000_1));
}

#[test]
fn plane_rods_need_fewer_columns() {
    let text = "s,axial,shear_1,bending_2,mass,inertia_2\n0,9,4,2,1,0.2\n1,9,4,2,1,0.2\n";
    let section = SectionTable::parse(text, 1.0, Resists::InPlane).unwrap().at(0.5);
    assert_eq!(section.check(), Ok(()));
    assert_eq!((section.stiffness[(0, 0)], section.stiffness[(4, 4)], section.inertia[(1, 1)]), (4.0, 2.0, 0.2));
    assert_eq!(
        messages(text, Resists::InSpace),
        ["shear_2", "bending_1", "torsion", "inertia_1"]
            .map(|c| format!("line 1, column `{c}`: the column is missing"))
    );
}

#[test]
fn mistakes_are_named_with_line_and_column() {
    assert_eq!(
        messages(
            &BLADE.replace("600", "six").replace("5e6", "-5e6").replace("mass_offset_1", "mass_ofset_1"),
            Resists::InSpace
        ),
        [
            "line 2, column `mass_ofset_1`: unknown column; did you mean `mass_offset_1`?",
            "line 5, column `mass`: expected a number, found `six`",
            "line 6, column `bending_2`: -5e6 must be positive",
        ]
    );
    let table = |rows: &str| messages(&format!("s,axial,mass\n{rows}"), Resists::Stretch);
    assert_eq!(table("0,1,1\n3,1\n40,1,1"), ["line 3: expected 3 values as the header has names, found 2"]);
    assert_eq!(table("0,1,nan\n40,1,1"), ["line 2, column `mass`: nan is not a finite number"]);
    assert_eq!(
        table("0,1,1\n20,1,1\n20,1,1\n40,1,1"),
        ["line 4, column `s`: 20 must be larger than 20 of the line before"]
    );
    assert_eq!(table("1,1,1\n40,1,1"), ["line 2, column `s`: the first station is at 1, but must be at 0"]);
    assert_eq!(
        table("0,1,1\n39,1,1"),
        [
            "line 3, column `s`: the last station is at 39, but must be at the length of the rod, 40 (s in metres), or at 1 (s in fractions of the length)"
        ]
    );
    assert_eq!(table("0,1,1"), ["line 2: expected at least two stations, found one"]);
    assert_eq!(table(""), ["line 1: expected at least two stations below the header, found none"]);
    assert_eq!(
        messages(" \n# nothing", Resists::Stretch),
        ["line 1: the table is empty: expected a line of column names and two stations"]
    );
    assert_eq!(
        messages("s,mass,mass,axial\n0,1,1,1\n40,1,1,1", Resists::Stretch),
        ["line 1, column `mass`: the column occurs twice"]
    );
    assert!(messages("s;axial;mass\n0;1;1", Resists::Stretch)[0].contains("unknown column"));
}

/// Degrees and radians mean the same; between stations the angle is linear. Both at once are a mistake.
#[test]
fn the_twist_is_an_angle() {
    let degrees = "s,axial,mass,twist_degrees\n0,1,1,90\n1,1,1,0\n";
    let degrees = SectionTable::parse(degrees, 2.0, Resists::Stretch).unwrap();
    assert!(degrees.is_twisted());
    assert!((degrees.twist(0.5) - 0.75 * std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    let radians = SectionTable::parse("s,axial,mass,twist\n0,1,1,0.3\n1,1,1,0\n", 2.0, Resists::Stretch).unwrap();
    assert!((radians.twist(1.0) - 0.15).abs() < 1e-16);
    assert!(!SectionTable::parse("s,axial,mass\n0,1,1\n1,1,1\n", 2.0, Resists::Stretch).unwrap().is_twisted());
    let both = messages("s,axial,mass,twist,twist_degrees\n0,1,1,0,0\n40,1,1,0,0\n", Resists::Stretch);
    assert_eq!(both, ["line 1, column `twist_degrees`: the twist is given twice, expected `twist` or `twist_degrees`"]);
}

#[test]
fn columns_are_multiplied_by_their_factors() {
    let mut table = SectionTable::parse(BLADE, 40.0, Resists::InSpace).unwrap();
    assert_eq!(table.scale("mass", 1.5), Ok(()));
    assert_eq!((table.at(10.0).mass, table.at(10.0).inertia[(0, 0)]), (900.0, 10.0));
    assert_eq!(table.scale("shear_1", 0.0), Err("0 is not positive".into()));
    assert_eq!(table.scale("inertia_1", -1.0), Err("-1 is negative".into()));
    assert_eq!(table.scale("mas", 2.0), Err("there is no column `mas`; did you mean `mass`?".into()));
    assert!(table.scale("s", 2.0).unwrap_err().starts_with("there is no column `s`; "));
}
