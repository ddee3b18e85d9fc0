//! [`WeightFile`]: the weights of a model as text for the evaluation.

use std::fmt::Write;

use super::model::{Model, ROLES, WIDTH};
use crate::board::Color;
use crate::eval::classical::{Combination, Quantization, weight_files};
use crate::files::Kind;
use crate::tune::adam;

/// Greatest number of a bias, a row or a prior: half of the 16-bit range, so that the sum of a few points does not wrap.
const GREATEST: f32 = (i16::MAX / 2) as f32;

/// A weight file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightFile {
    /// The name, such as `freestyle.txt`.
    pub name: &'static str,
    /// The text, as `src/eval/classical/weights.rs` describes it.
    pub text: String,
}

/// The first line of each file.
const HEADING: &str = "# see src/eval/classical/weights.rs";

impl WeightFile {
    /// The kind of file.
    pub const KIND: Kind = Kind { name: "weight file", start: HEADING.as_bytes() };
}

impl Model {
    /// The weight files of the rule.
    pub(super) fn weight_files(&self) -> Vec<WeightFile> {
        let names = weight_files(self.rule).zip(Color::ALL);
        names.map(|(name, color)| WeightFile { name, text: self.text(color) }).collect()
    }

    /// The weight set of a color as text.
    fn text(&self, color: Color) -> String {
        let weight_set = self.rule.table_of(color);
        let layer = self.layer(weight_set);
        let mut text = format!("{HEADING}\n");
        push_line(&mut text, "bias", layer.bias.iter().map(|&bias| quantize(bias, Quantization::UNIT, GREATEST)));
        let output =
            layer.output.iter().map(|&weight| quantize(weight, Quantization::OUTPUT, Quantization::MAX_OUTPUT));
        push_line(&mut text, "output", output);
        for combination in Combination::all() {
            let roles: [usize; ROLES] =
                [0, 1].map(|role| (weight_set * ROLES + role) * Combination::COUNT + combination.index());
            let priors = roles.map(|at| quantize(self.priors[at], Quantization::PRIOR, GREATEST));
            let rows = roles.into_iter().flat_map(|at| quantize_row(&self.rows[at]));
            push_line(&mut text, &combination.letters(), priors.into_iter().chain(rows));
        }
        text
    }
}

fn push_line(text: &mut String, name: &str, numbers: impl Iterator<Item = i16>) {
    text.push_str(name);
    for number in numbers {
        // Writing to a string cannot fail.
        let _ = write!(text, " {number}");
    }
    text.push('\n');
}

fn quantize_row(row: &[f32; WIDTH]) -> [i16; WIDTH] {
    std::array::from_fn(|index| {
        let scale = if index == 0 { Quantization::LOGIT } else { Quantization::UNIT };
        quantize(row[index], scale, GREATEST)
    })
}

fn quantize(parameter: f32, scale: f32, greatest: f32) -> i16 {
    adam::quantize(parameter, scale, greatest) as i16
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::board::Rule;
    use crate::eval::classical::UNITS;
    use crate::tune::classical::model::{PARAMETERS, PRIORS_START, ROWS, SHARED_ROWS, layer_start};

    /// The text of a built-in weight file.
    fn built_in(name: &str) -> String {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/weights").join(name)).unwrap()
    }

    /// The model whose parameters are the numbers of the built-in weight files. The rest of a combination holds all of it.
    pub(in crate::tune::classical) fn built_in_model(rule: Rule) -> Model {
        let mut parameters = vec![0.0; PARAMETERS];
        for (weight_set, name) in weight_files(rule).enumerate() {
            for line in built_in(name).lines().filter(|line| !line.starts_with('#')) {
                let (name, numbers) = line.split_once(' ').unwrap();
                let numbers: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
                let mut put = |at: usize, numbers: &[f32], scale: f32| {
                    let parameters = &mut parameters[at..at + numbers.len()];
                    parameters.iter_mut().zip(numbers).for_each(|(parameter, number)| *parameter = number / scale);
                };
                match name {
                    "bias" => put(layer_start(weight_set), &numbers, Quantization::UNIT),
                    "output" => put(layer_start(weight_set) + UNITS, &numbers, Quantization::OUTPUT),
                    letters => {
                        let rest = SHARED_ROWS + Combination::from_letters(letters).unwrap().index();
                        for role in 0..ROLES {
                            let row = (weight_set * ROLES + role) * ROWS + rest;
                            let shares = &numbers[ROLES + role * WIDTH..][..WIDTH];
                            put(PRIORS_START + row, &numbers[role..=role], Quantization::PRIOR);
                            put(row * WIDTH, &shares[..1], Quantization::LOGIT);
                            put(row * WIDTH + 1, &shares[1..], Quantization::UNIT);
                        }
                    }
                }
            }
        }
        Model::of(rule, parameters)
    }

    #[test]
    fn a_model_of_the_numbers_of_a_weight_file_writes_that_file() {
        for rule in Rule::ALL {
            let files = built_in_model(rule).weight_files();
            assert!(files.iter().map(|file| file.name).eq(weight_files(rule)));
            for WeightFile { name, text } in files {
                // The first line is a comment.
                assert!(text.lines().skip(1).eq(built_in(name).lines().skip(1)), "{name}");
            }
        }
    }

    #[test]
    fn a_number_beyond_16_bits_is_kept_within_them() {
        assert_eq!(quantize(1e9, Quantization::UNIT, GREATEST), 16383);
        assert_eq!(quantize(-1e9, Quantization::OUTPUT, Quantization::MAX_OUTPUT), -4095);
        assert_eq!(quantize(0.999, Quantization::UNIT, GREATEST), 511);
    }
}
