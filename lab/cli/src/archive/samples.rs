//! The Parquet file of one run's samples: a row for each cell.

use std::sync::Arc;

use anyhow::{Context, ensure};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{ListAccessor, RowAccessor};
use parquet::schema::types::Type;

use crate::export::parquet::{list_type, write_list};
use crate::profile::Task;
use crate::stored::{RawCell, RunRow};

/// The columns of text, then those of numbers; the lists `samples_ns` and `processes` follow.
const TEXTS: [&str; 7] = [
    "run",
    "started",
    "machine",
    "library",
    "primitive",
    "operation",
    "contract",
];
const NUMBERS: [&str; 4] = ["bytes", "threads", "messages", "calls"];

/// Samples of a cell: the task and the library, nanoseconds, processes.
pub(super) type Samples = ((Task, String), (Vec<f64>, Vec<u32>));

/// Writes the samples of a run.
pub(super) fn write(row: &RunRow, machine: &str, cells: &[RawCell]) -> anyhow::Result<Vec<u8>> {
    let properties = WriterProperties::builder()
        .set_created_by(concat!("touchstone ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .build();
    let mut bytes = Vec::new();
    let mut file =
        SerializedFileWriter::new(&mut bytes, Arc::new(schema()?), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    let missing = "a column fewer than the schema";
    let texts: [&dyn Fn(&RawCell) -> String; TEXTS.len()] = [
        &|_| row.uid.clone(),
        &|_| row.started.clone(),
        &|_| machine.to_owned(),
        &|cell| cell.library.clone(),
        &|cell| cell.task.primitive.clone(),
        &|cell| cell.task.operation.clone(),
        &|cell| cell.task.contract.name().to_owned(),
    ];
    for text in texts {
        let values: Vec<ByteArray> = cells
            .iter()
            .map(|cell| ByteArray::from(text(cell).into_bytes()))
            .collect();
        let mut column = group.next_column()?.context(missing)?;
        column
            .typed::<ByteArrayType>()
            .write_batch(&values, None, None)?;
        column.close()?;
    }
    let numbers: [&dyn Fn(&RawCell) -> u64; NUMBERS.len()] = [
        &|cell| cell.task.bytes,
        &|cell| cell.task.threads.into(),
        &|cell| cell.task.messages.into(),
        &|cell| cell.calls,
    ];
    for number in numbers {
        let values: Vec<i64> = cells.iter().map(|cell| number(cell) as i64).collect();
        let mut column = group.next_column()?.context(missing)?;
        column
            .typed::<Int64Type>()
            .write_batch(&values, None, None)?;
        column.close()?;
    }
    let samples: Vec<&[f64]> = cells.iter().map(|cell| &*cell.samples).collect();
    write_list::<DoubleType, _>(&mut group, &samples)?;
    let processes: Vec<Vec<i32>> = cells
        .iter()
        .map(|cell| cell.processes.iter().map(|&number| number as i32).collect())
        .collect();
    let processes: Vec<&[i32]> = processes.iter().map(Vec::as_slice).collect();
    write_list::<Int32Type, _>(&mut group, &processes)?;
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn schema() -> anyhow::Result<Type> {
    let mut fields = Vec::new();
    for name in TEXTS {
        let field = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::String))
            .build()?;
        fields.push(Arc::new(field));
    }
    for name in NUMBERS {
        let field = Type::primitive_type_builder(name, Physical::INT64)
            .with_repetition(Repetition::REQUIRED)
            .build()?;
        fields.push(Arc::new(field));
    }
    fields.push(Arc::new(list_type("samples_ns", Physical::DOUBLE)?));
    fields.push(Arc::new(list_type("processes", Physical::INT32)?));
    Ok(Type::group_type_builder("samples")
        .with_fields(fields)
        .build()?)
}

/// Reads the samples of a run.
pub(super) fn read(bytes: Vec<u8>) -> anyhow::Result<Vec<Samples>> {
    let reader = SerializedFileReader::new(Bytes::from(bytes)).context("it is no Parquet file")?;
    let names: Vec<String> = reader
        .metadata()
        .file_metadata()
        .schema()
        .get_fields()
        .iter()
        .map(|field| field.name().to_owned())
        .collect();
    let place = |name: &str| {
        let found = names.iter().position(|own| own == name);
        found.with_context(|| format!("it has no column {name}"))
    };
    let texts = ["library", "primitive", "operation", "contract"].map(&place);
    let [library, primitive, operation, contract] = texts;
    let (library, primitive, operation) = (library?, primitive?, operation?);
    let contract = contract?;
    let [bytes, threads, messages] = ["bytes", "threads", "messages"].map(&place);
    let (bytes, threads, messages) = (bytes?, threads?, messages?);
    let (samples, processes) = (place("samples_ns")?, place("processes")?);
    let mut all = Vec::new();
    for row in reader.get_row_iter(None)? {
        let row = row?;
        let name = row.get_string(contract)?;
        let task = Task {
            primitive: row.get_string(primitive)?.clone(),
            operation: row.get_string(operation)?.clone(),
            contract: name
                .parse()
                .map_err(|_| anyhow::anyhow!("no contract is called {name:?}"))?,
            bytes: u64::try_from(row.get_long(bytes)?)?,
            threads: u32::try_from(row.get_long(threads)?)?,
            messages: u32::try_from(row.get_long(messages)?)?,
        };
        let (times, numbers) = (row.get_list(samples)?, row.get_list(processes)?);
        let times: Vec<f64> = (0..times.len())
            .map(|index| times.get_double(index))
            .collect::<Result<_, _>>()?;
        ensure!(
            times.iter().all(|ns| ns.is_finite() && *ns > 0.0),
            "it has a time that is none"
        );
        let numbers: Vec<u32> = (0..numbers.len())
            .map(|index| numbers.get_int(index).map(|number| number as u32))
            .collect::<Result<_, _>>()?;
        all.push(((task, row.get_string(library)?.clone()), (times, numbers)));
    }
    Ok(all)
}
